import { normalize } from "../vocabulary/index.ts";

/** Phrases that mean *here* in languages of which no more than the kinds of place are known. */
const phrasesByLanguage: Readonly<Record<string, string>> = {
  am: "በአቅራቢያዬ,በአቅራቢያ,አቅራቢያ,አቅራቢያዬ",
  ar: "قريب مني,قريبة مني,بالقرب مني,القريبة مني,الاقرب,قريب",
  az: "yaxınımda,yaxınlıqda,yaxındakı,ən yaxın,mənə yaxın",
  bg: "наблизо,близо до мен,най-близката,най-близкият",
  bn: "আমার কাছে,আমার কাছাকাছি,কাছাকাছি,কাছের,নিকটতম,আশেপাশে,আমার আশেপাশে",
  cs: "v okolí,poblíž,v blízkosti,blízko mě,poblíž mě,nejbližší",
  da: "nær mig,i nærheden,tæt på mig,nærmeste",
  el: "κοντά μου,κοντά,εδώ κοντά,πλησιέστερο",
  et: "minu lähedal,lähedal,siin lähedal,läheduses,lähim",
  fa: "نزدیک من,نزدیکی من,اطراف من,نزدیک,نزدیکترین,نزدیک ترین,در نزدیکی من,همین اطراف",
  fi: "lähellä,lähelläni,lähellä minua,lähin",
  he: "לידי,בקרבתי,קרוב אליי,קרוב אלי,באזור שלי",
  hi: "मेरे पास,मेरे नज़दीक,मेरे नजदीक,मेरे आसपास,पास में,आसपास,नज़दीकी,नजदीकी,सबसे नज़दीकी",
  hr: "u blizini,blizu mene,najbliži,najbliža",
  hu: "a közelben,közelben,közelemben,a közelemben,legközelebbi",
  hy: "իմ մոտ,ինձ մոտ,մոտակա,մոտակայքում,ամենամոտ",
  id: "terdekat,dekat saya,di sekitar saya,di dekat saya",
  is: "nálægt mér,nálægt,í nágrenninu,hér í nágrenninu,í grenndinni,næsta,næst mér",
  ja: "近く,近くの,この近く,この近くの,周辺,最寄り,最寄りの,付近",
  ka: "ჩემთან ახლოს,ახლოს,ახლომახლო,უახლოესი",
  kk: "жақын жерде,маған жақын,жақын маңда,ең жақын",
  ko: "근처,내 근처,내 주변,주변,가까운,제일 가까운",
  lt: "šalia manęs,netoli manęs,arti manęs,aplink mane,netoliese,artimiausia,artimiausias",
  lv: "man tuvumā,tuvumā,netālu no manis,netālu,tuvākā,tuvākais",
  mk: "во близина,близу мене,најблиска,најблизок,наблизу",
  ms: "berhampiran,berhampiran saya,berdekatan,berdekatan saya,terdekat,dekat sini,dekat saya,dekat dengan saya",
  mt: "qrib tiegħi,fil-qrib,viċin tiegħi",
  ne: "मेरो नजिक,नजिकको,नजिकै,मेरो नजिकको,वरपर,नजिक",
  no: "nær meg,i nærheten,nærmeste",
  pl: "w pobliżu,blisko mnie,w okolicy,niedaleko mnie,obok mnie,koło mnie,najbliższa,najbliższy,niedaleko",
  ro: "lângă mine,în apropiere,aproape de mine,în apropierea mea,prin apropiere,în zonă,cel mai apropiat,cea mai apropiată,din apropiere",
  ru: "рядом,рядом со мной,поблизости,возле меня,около меня,недалеко,ближайшая,ближайший,ближайшее,ближайшие",
  si: "මා අසල,ළඟම,ආසන්නයේ",
  sk: "v okolí,v blízkosti,blízko mňa,najbližšia,najbližší",
  sl: "v bližini,blizu mene,najbližja,najbližji",
  sq: "afër meje,pranë meje,këtu afër,më e afërta,më i afërti,në afërsi",
  sr: "у близини,близу мене,u blizini,најближа,најближи",
  sv: "nära mig,i närheten,närmaste",
  sw: "karibu nami,karibu yangu,karibu na mimi,hapa karibu",
  ta: "என் அருகில்,அருகில்,அருகிலுள்ள",
  th: "ใกล้ฉัน,ใกล้ๆ,ใกล้เคียง,แถวนี้",
  tr: "yakınımda,yakınımdaki,yakındaki,yakınlarda,en yakın,bana yakın",
  uk: "поруч,поруч зі мною,поблизу,біля мене,неподалік,найближча,найближчий",
  ur: "میرے قریب,قریب,قریبی,میرے نزدیک,آس پاس",
  uz: "yaqin atrofda,yaqin atrofdagi,yaqinimda,yaqinimdagi,menga yaqin,eng yaqin",
  vi: "gần đây,gần tôi,gần nhất,gần đây nhất,gần chỗ tôi,gần nhà,gần nhà tôi,gần mình,gần đó,quanh đây,quanh tôi,xung quanh,xung quanh đây",
  zh: "附近,附近的,我附近,我附近的,离我最近",
};

/** Spelled as words are compared. */
export function otherHerePhrases(): string[] {
  const phrases = Object.values(phrasesByLanguage).flatMap((texts) => texts.split(","));
  return phrases.map((phrase) => normalize(phrase).join(" "));
}
