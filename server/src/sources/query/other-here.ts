import { normalize } from "../vocabulary/index.ts";

/** Phrases that mean *here* in languages of which no more than the kinds of place are known. */
const phrasesByLanguage: Readonly<Record<string, string>> = {
  ar: "قريب مني,قريبة مني,بالقرب مني,القريبة مني,الاقرب,قريب",
  bg: "наблизо,близо до мен,най-близката,най-близкият",
  cs: "v okolí,poblíž,v blízkosti,blízko mě,poblíž mě,nejbližší",
  da: "nær mig,i nærheden,tæt på mig,nærmeste",
  el: "κοντά μου,κοντά,εδώ κοντά,πλησιέστερο",
  fa: "نزدیک من,نزدیکی من,اطراف من,نزدیک",
  fi: "lähellä,lähelläni,lähellä minua,lähin",
  he: "לידי,בקרבתי,קרוב אליי,קרוב אלי,באזור שלי",
  hi: "मेरे पास,मेरे नज़दीक,पास में,आसपास",
  hr: "u blizini,blizu mene,najbliži,najbliža",
  hu: "a közelben,közelben,közelemben,a közelemben,legközelebbi",
  id: "terdekat,dekat saya,di sekitar saya,di dekat saya",
  ja: "近く,近くの,この近く,この近くの,周辺,最寄り,最寄りの,付近",
  ko: "근처,내 근처,내 주변,주변,가까운,제일 가까운",
  no: "nær meg,i nærheten,nærmeste",
  pl: "w pobliżu,blisko mnie,w okolicy,niedaleko mnie,obok mnie,koło mnie,najbliższa,najbliższy,niedaleko",
  ro: "lângă mine,în apropiere,aproape de mine,în apropierea mea",
  ru: "рядом,рядом со мной,поблизости,возле меня,около меня,недалеко,ближайшая,ближайший,ближайшее,ближайшие",
  sk: "v okolí,v blízkosti,blízko mňa,najbližšia,najbližší",
  sl: "v bližini,blizu mene,najbližja,najbližji",
  sr: "у близини,близу мене,u blizini,најближа,најближи",
  sv: "nära mig,i närheten,närmaste",
  th: "ใกล้ฉัน,ใกล้ๆ,ใกล้เคียง,แถวนี้",
  tr: "yakınımda,yakınımdaki,yakındaki,yakınlarda,en yakın,bana yakın",
  uk: "поруч,поруч зі мною,поблизу,біля мене,неподалік,найближча,найближчий",
  vi: "gần đây,gần tôi,gần nhất,quanh đây",
  zh: "附近,附近的,我附近,我附近的,离我最近",
};

/** Spelled as words are compared. */
export function otherHerePhrases(): string[] {
  const phrases = Object.values(phrasesByLanguage).flatMap((texts) => texts.split(","));
  return phrases.map((phrase) => normalize(phrase).join(" "));
}
