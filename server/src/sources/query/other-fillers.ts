import { normalize } from "../vocabulary/index.ts";

/** Words beside a kind of place that say nothing about it, in languages that questions are not read in; none that businesses are called. */
const fillersByLanguage: Readonly<Record<string, string>> = {
  am: "ምርጥ ጥሩ ርካሽ የት",
  ar: "أفضل احسن أحسن ارخص رخيص رخيصة جيد جيدة اين أين مع",
  az: "ucuz yaxşı",
  bg: "евтин евтина евтини най добър добра добри къде",
  bn: "সেরা ভালো ভাল সস্তা কোথায়",
  cs: "levný levná levné nejlepší dobrý dobrá dobré kde",
  da: "billig billige billigt bedste gode godt hvor",
  el: "φθηνό φθηνά φτηνό φτηνά καλό καλά καλύτερο καλύτερα καλύτερες που",
  et: "odav odavad parim parimad kus",
  fa: "بهترین خوب ارزان کجاست با",
  fi: "halpa halvat parhaat hyvä hyvät",
  he: "זול זולה זולים זולות טוב טובה טובים טובות הכי מומלץ מומלצת מומלצות איפה יש עם",
  hi: "सस्ता सस्ते सस्ती अच्छा अच्छे अच्छी बढ़िया सबसे कहाँ है",
  hr: "jeftin jeftini jeftina jeftino najbolji najbolja najbolje dobar dobra dobri dobre gdje",
  hu: "olcsó legjobb",
  hy: "լավագույն լավ էժան որտեղ կա",
  id: "murah terbaik",
  is: "ódýrt ódýr ódýrir besti besta bestu hvar",
  ka: "კარგი საუკეთესო იაფი სად არის",
  kk: "арзан жақсы ең қайда",
  lt: "pigus pigi pigūs pigios geriausi geriausias geriausia geriausios geras gera geri kur",
  lv: "lēts lēta lēti lētas labākais labākā labākie kur",
  mk: "ефтин ефтина ефтини најдобар најдобра најдобри добар добра каде",
  ms: "murah terbaik yang",
  ne: "राम्रो राम्रा सस्तो सस्ता सबैभन्दा कहाँ छ",
  no: "billig billige beste gode godt hvor",
  pl: "tani tania tanie tanich najlepszy najlepsza najlepsze dobry dobra dobre gdzie",
  ro: "ieftin ieftină ieftine unde",
  ru: "лучший лучшая лучшие лучшее хороший хорошая хорошие хорошее дешёвый дешёвая дешёвые дешево недорогой недорогая недорогие недорого где есть с",
  si: "හොඳ හොඳම ලාභ කොහෙද",
  sk: "lacný lacná lacné najlepší najlepšia najlepšie dobrý dobrá dobré kde",
  sl: "poceni najboljši najboljša najboljše dober dobra kje",
  sr: "јефтин јефтини јефтина најбољи најбоља најбоље добар добра где jeftin najbolji dobar gde",
  sv: "billig billiga billigt finns",
  sw: "nzuri nafuu rahisi wapi",
  ta: "சிறந்த நல்ல மலிவான எங்கே",
  tr: "ucuz uygun iyi güzel kaliteli nerede olan",
  uk: "найкращий найкраща найкращі хороший хороша хороші дешевий дешева дешеві недорогий недорогі де є",
  ur: "بہترین اچھا اچھے سستا سستے کہاں",
  uz: "arzon yaxshi qayerda",
};

/** Spelled as words are compared; of Latin letters only those of three and more, since shorter ones are words of any language. */
export function otherFillers(): string[] {
  return normalize(Object.values(fillersByLanguage).join(" ")).filter(
    (word) => word.length > 2 || !/^[a-z]/.test(word),
  );
}
