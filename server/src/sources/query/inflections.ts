/**
 * How languages inflect the name of a town that something is in, or of: each ending with what it stands for. A form that is
 * no name of a town does no harm, since every form is looked up. All spelled as words are compared: without accents, in
 * lower case. A whole word that stands for nothing is a postposition.
 */
const endingsByLanguage: Readonly<Record<string, string>> = {
  pl: "ie:,a,o cie:t,ta,to dzie:d,da,do rze:r,ra,ro le:l,la,lo ce:ka dze:ga sze:cha iu: u:,o i:,ia y:a, ach:e,y,i iach:ie a: ej:a iej:ia ym:y im:i em:e ego:e od:",
  cs: "e:,a,o ze:ha i:,e ni:n,en ci:c,ec ich:e,y ech:y ach:y u:,o y:a a:,o e:a ke:ka em:y od:",
  sk: "e:,a,o i:,a ci:c,ec ach:e,y iach:e,ie u:,o y:a a:,o ej:a om:y",
  sl: "i:a, u:,o,e ru:er ih:e ah:e",
  hr: "u:,o,e i:a ci:ka oj:a om:i,o ama:e,i a:",
  hu: "ban: ben: on: en: ett: ott: n: nal: nel: i: kozeleben: mellett: belvarosaban: kozpontjaban:",
  fi: "ssa: lla: sta: lta: n: ella:,i essa:i ngissa:nki ngin:nki russa:rku run:rku dessa:ti den:ti en:,i keskustassa: keskusta: lahella:",
  et: "s: as: is: es: l: al: a: u: kesklinnas: kesklinn: lahedal:",
  lt: "iuje:ius uje:us e:as,a oje:a eje:e iuose:iai uose:ai yje:is o:as iaus:ius aus:us centre:",
  lv: "i:s,e ili:ils a:s e: os:i as:a centra: tuvuma:",
  tr: "da: de: ta: te: daki: deki: taki: teki: nda: nde: un: in: nin: nun: də: dəki: nın: dagi: ning: merkezi: merkezinde:",
  ru: "е:,а,о,ь и:ь,я ии:ия ы:а,и а: я:ь у:,а ах:и,ы ях:и ом:ии,ыи,ое ем:ии,ее ои:ая,а с: со: от:",
  uk: "і:,а,о,ь,я ові:ів еві:ів єві:ів,іів ова:ів єва:ів,іів ева:ів олі:іль оля:іль и:а у:,о ю:ь ах:и ях:і ім:ии з: від:",
  bg: "до:",
  sr: "у:,о,е и:а ци:ка ој:а ом:и,о а:",
  kk: "да: де: та: те: дағы: дегі: тағы: тегі: ның: нің: дың: дің:",
  ky: "да: де: та: те: до: дө: то: тө: дагы: деги: тагы: теги: догу: дөгү: тогу: төгү: нын: нин: нун: нүн: дын: дин: дун: дүн: тын: тин: тун: түн:",
  be: "е:,а,о,ь і:,а,я у:,а,о ы:а, ах:ы",
  tg: "и:",
  el: "ασ:α ησ:η,α ουσ:οι ου:οσ,ο ο:οσ ον:οσ ων:α,ουσ",
  ka: "ში:ი, ზე:ე,ი ის:ი, დან:ი, ცენტრში:",
  hy: "ում: ի: ից: ու:ի կենտրոնում: մոտ:",
  ko: "에: 에서: 의: 시: 있는: 근처: 주변:",
  ar: "من:",
  fa: "شهر:",
  hi: "में: के: की: का: पास:",
  mr: "मध्ये: मधील: ातील:ा,े ्यातील:े तील: ात:ा,े ्यात:े त: चे: ची: च्या: चा: जवळ:",
  gu: "માં: ની: ના: નો: નું: પાસે:",
  pa: "ਵਿੱਚ: ਵਿਚ: ਦੇ: ਦੀ: ਦਾ: ਨੇੜੇ:",
  te: "లో: లోని: దగ్గర:",
  kn: "ನಲ್ಲಿ: ಿನಲ್ಲಿ:ು ಯಲ್ಲಿ: ದಲ್ಲಿ: ಿನ:ು ಹತ್ತಿರ:",
  ml: "യിൽ: യിലെ: ിൽ:്,ം ിലെ:് ത്ത്:ം ത്തെ:ം അടുത്ത്:",
  my: "မှာ: တွင်: ရှိ: မြို့: နားက:",
  ne: "मा: को: का: की: मै: बाट: नजिक:",
  bn: "য়: য়ের: তে: র: ে: ের: শহরে: শহরের: কাছে: মধ্যে:",
  ta: "இல்: ில்: யில்: வில்:",
  ja: "の: で: にある: 近く: 市: 都:",
  zh: "的: 附近: 市:",
};

/** What grows together with the word behind it: "בתל אביב", "بالقاهرة". */
const beginningsByLanguage: Readonly<Record<string, string>> = {
  he: "ב: ל: מ: ה:",
  am: "በ: ከ: የ:",
  // What a preposition does to the first letter: "i gCorcaigh", "i mBaile Átha Cliath".
  ga: "gc:c mb:b nd:d bhf:f ng:g bp:p dt:t bh:b ch:c dh:d fh:f gh:g mh:m ph:p sh:s th:t",
  ar: "بال:ال ب: لل:ال ل: ال:",
};

const languagesByScript: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  [/\p{Script=Cyrillic}/u, ["ru", "uk", "bg", "sr", "kk", "ky", "be", "tg"]],
  [/\p{Script=Greek}/u, ["el"]],
  [/\p{Script=Georgian}/u, ["ka"]],
  [/\p{Script=Hangul}/u, ["ko"]],
  [/\p{Script=Armenian}/u, ["hy"]],
  [/\p{Script=Devanagari}/u, ["hi", "ne", "mr"]],
  [/\p{Script=Bengali}/u, ["bn"]],
  [/\p{Script=Tamil}/u, ["ta"]],
  [/\p{Script=Telugu}/u, ["te"]],
  [/\p{Script=Kannada}/u, ["kn"]],
  [/\p{Script=Malayalam}/u, ["ml"]],
  [/\p{Script=Gujarati}/u, ["gu"]],
  [/\p{Script=Gurmukhi}/u, ["pa"]],
  [/\p{Script=Myanmar}/u, ["my"]],
  [/\p{Script=Ethiopic}/u, ["am"]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u, ["ja", "zh"]],
  [/\p{Script=Hebrew}/u, ["he"]],
  [/\p{Script=Arabic}/u, ["ar", "fa"]],
];
const latin = /^[a-z]/;
/** Languages that inflect a name as another does. */
const relatives: ReadonlyMap<string, string> = new Map([
  ["sr", "hr"],
  ["bs", "hr"],
  ["az", "tr"],
  ["uz", "tr"],
  ["tk", "tr"],
]);

type Rule = { affix: string; replacements: readonly string[] };
const beginnings = rulesOf(beginningsByLanguage);
/** By their last letter: most rules of a language are passed over by that of a word. */
const endings = new Map([...rulesOf(endingsByLanguage)].map(([language, rules]) => [language, byLastLetter(rules)]));

const inLatin = Object.entries({ ...beginningsByLanguage, ...endingsByLanguage }).flatMap(([language, rules]) =>
  latin.test(rules) ? [language] : [],
);

/** The languages that a name may be inflected in, one at a time; other letters than Latin ones tell theirs themselves. */
export function inflectedLanguages(word: string): readonly string[] {
  return latin.test(word) ? inLatin : languagesOf(word, []).slice(0, 1);
}

/** Whether a name that is inflected in one language may be so in another, as far as the endings tell. */
export function inflectsAs(language: string, other: string): boolean {
  return !inLatin.includes(other) || formsLike(language) === other;
}

function formsLike(language: string): string {
  return relatives.get(language) ?? language;
}

/** Whether a word behind the name of a town only says that something is there: "İstanbul'da", 東京の. */
export function isPostposition(word: string, language: string): boolean {
  return endingsOf(word, language).some(({ affix, replacements }) => affix === word && replacements[0] === "");
}

const wordsMax = 3;
const formsMax = 40;

/** What the name of an area may be when it was inflected: "Krakowie" is Kraków, "Москве" is Москва; likely ones first. */
export function uninflected(words: readonly string[], languages: readonly string[]): string[] {
  if (words.length > wordsMax) return [];
  let phrases: string[][] = [[]];
  words.forEach((word, at) => {
    const forms = [word, ...formsOf(word, languagesOf(word, languages), at === 0)];
    phrases = phrases.flatMap((phrase) => forms.map((form) => (form === "" ? phrase : [...phrase, form])));
    phrases = phrases.slice(0, formsMax);
  });
  const typed = words.join(" ");
  return [...new Set(phrases.map((phrase) => phrase.join(" ")))].filter((form) => form !== typed && form !== "");
}

function formsOf(word: string, languages: readonly string[], isFirst: boolean): string[] {
  const forms: string[] = [];
  for (const language of languages) {
    for (const { affix, replacements } of endingsOf(word, language)) {
      if (!word.endsWith(affix)) continue;
      const stem = word.slice(0, -affix.length);
      if (stem === "") forms.push(...replacements.filter((each) => each === ""));
      else forms.push(...replacements.filter((each) => isStem(stem, each)).map((each) => stem + each));
    }
    for (const { affix, replacements } of isFirst ? (beginnings.get(language) ?? []) : []) {
      const stem = word.slice(affix.length);
      if (word.startsWith(affix) && isStem(stem)) forms.push(...replacements.map((each) => each + stem));
    }
  }
  return forms;
}

function endingsOf(word: string, language: string): readonly Rule[] {
  return endings.get(language)?.get(word.charCodeAt(word.length - 1)) ?? [];
}

/** Less of a name says nothing, unless more of it follows; a syllable of Korean or a sign of Chinese is more than a letter. */
function isStem(stem: string, replacement = ""): boolean {
  return stem.length >= 3 || (stem.length === 2 && (!latin.test(stem) || replacement.length >= 2));
}

/** Letters tell a language better than anything else, unless they are Latin. */
function languagesOf(word: string, asked: readonly string[]): readonly string[] {
  if (!latin.test(word)) return languagesByScript.find(([script]) => script.test(word))?.[1] ?? [];
  return [...new Set(asked.map(formsLike))];
}

function byLastLetter(rules: readonly Rule[]): ReadonlyMap<number, readonly Rule[]> {
  return Map.groupBy(rules, ({ affix }) => affix.charCodeAt(affix.length - 1));
}

function rulesOf(table: Readonly<Record<string, string>>): ReadonlyMap<string, readonly Rule[]> {
  return new Map(
    Object.entries(table).map(([language, rules]) => [
      language,
      rules.split(" ").map((rule) => {
        const [affix = "", replacements = ""] = rule.split(":");
        return { affix, replacements: replacements.split(",") };
      }),
    ]),
  );
}
