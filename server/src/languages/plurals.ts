type Rule = readonly [ending: RegExp, replacements: readonly string[]];

// Spelled without accents, as words are compared. The first rule that fits counts; a plural that
// nobody would write does no harm, since real terms always win over made ones.
const rules: Readonly<Record<string, readonly Rule[]>> = {
  en: [
    [/([^aeiou])y$/, ["$1ies"]],
    [/(s|x|z|ch|sh)$/, ["$1es"]],
    [/$/, ["s"]],
  ],
  de: [
    [/in$/, ["innen"]],
    [/eur$/, ["eure", "eurs"]],
    [/e$/, ["en"]],
    [/(el|er)$/, ["$1", "$1n", "$1s"]],
    [/(ei|ung|schaft|heit|keit|ion|ur)$/, ["$1en"]],
    [/(haus)$/, ["hauser"]],
    [/(bad|amt)$/, ["$1er"]],
    [/(um)$/, ["en", "$1s"]],
    [/$/, ["s", "e", "en", "er"]],
  ],
  fr: [
    [/(s|x|z)$/, ["$1"]],
    [/(eau|eu)$/, ["$1x"]],
    [/al$/, ["aux", "als"]],
    [/$/, ["s"]],
  ],
  es: [
    [/z$/, ["ces"]],
    [/([aeiou])$/, ["$1s"]],
    [/s$/, ["s", "ses"]],
    [/$/, ["es", "s"]],
  ],
  it: [
    [/([cg])a$/, ["$1he"]],
    [/([cg])o$/, ["$1hi", "$1i"]],
    [/io$/, ["i"]],
    [/([cg])ia$/, ["$1ie", "$1e"]],
    [/a$/, ["e", "i"]],
    [/[oe]$/, ["i"]],
    [/$/, ["", "s"]],
  ],
  pt: [
    [/ao$/, ["oes", "aos", "aes"]],
    [/m$/, ["ns"]],
    [/([aeou])l$/, ["$1is"]],
    [/il$/, ["is"]],
    [/([rz])$/, ["$1es"]],
    [/([aeiou])$/, ["$1s"]],
    [/$/, ["es", "s"]],
  ],
  ca: [
    [/ca$/, ["ques"]],
    [/ga$/, ["gues"]],
    [/ja$/, ["ges"]],
    [/a$/, ["es"]],
    [/([eiou])$/, ["$1s", "$1ns"]],
    [/(s|x|c)$/, ["$1os", "$1"]],
    [/$/, ["s"]],
  ],
  nl: [
    [/eum$/, ["ea", "eums"]],
    [/([aeou])\1([bcdfgklmnprst])$/, ["$1$2en"]],
    [/s$/, ["zen", "sen"]],
    [/(e|er|el|en|em)$/, ["$1s", "$1n"]],
    [/([^aeiou][aeiou])([bdgklmnprt])$/, ["$1$2$2en", "$1$2en", "$1$2s"]],
    [/$/, ["en", "s"]],
  ],
  // Words of many are those of somebody as well where a town stands before them: "Ankara eczaneleri".
  tr: [
    [/a$/, ["alar", "alari"]],
    [/e$/, ["eler", "eleri"]],
    [/([iu])$/, ["$1lar", "$1ler", "$1lari", "$1leri", "lari", "leri"]],
    [/$/, ["lar", "ler", "lari", "leri"]],
  ],
  az: [[/$/, ["lar", "lər", "lari", "ləri"]]],
  uz: [
    [/([iu])$/, ["$1lar", "$1lari", "lari"]],
    [/$/, ["lar", "lari"]],
  ],
  kk: [[/$/, ["лар", "лер", "дар", "дер", "тар", "тер", "лары", "лері", "дары", "дері", "тары", "тері"]]],
  // Written together, apart, or with a mark between that parts words.
  fa: [[/$/, [" ها", " هاي", "ها", "هاي"]]],
  hy: [[/$/, ["ներ", "եր", "ները", "երը"]]],
  ka: [
    [/[აი]$/, ["ები"]],
    [/$/, ["ები"]],
  ],
  bn: [[/$/, ["গুলো", "গুলি", "সমূহ"]]],
  ne: [[/$/, ["हरू", "हरु"]]],
  ta: [
    [/ம்$/, ["ங்கள்"]],
    [/$/, ["கள்"]],
  ],
};

/** In these languages the first noun of a term carries the number: `salons de coiffure`. */
const nounFirst = new Set(["fr", "es", "it", "pt", "ca"]);
const linking = new Set("de du des d del della di da do dos das a al et y e".split(" "));

/** The plural forms in queries, by normalized words. */
export function pluralsOf(words: readonly string[], language: string): string[][] {
  const forms = rules[language];
  if (!forms || words.length === 0) return [];
  const inflect = (word: string) => inflected(word, forms);
  if (!nounFirst.has(language)) return inflect(words.at(-1) ?? "").map((last) => [...words.slice(0, -1), last]);

  // `agence immobilière` inflects both words, `salon de coiffure` only the first.
  const end = words.findIndex((word) => linking.has(word));
  const nouns = end === -1 ? words : words.slice(0, end);
  const [first = "", ...others] = nouns;
  return inflect(first).map((plural) => [
    plural,
    ...others.map((word) => inflect(word)[0] ?? word),
    ...words.slice(nouns.length),
  ]);
}

function inflected(word: string, forms: readonly Rule[]): string[] {
  const [ending, replacements] = forms.find(([pattern]) => pattern.test(word)) ?? [/$/, []];
  return replacements.map((replacement) => word.replace(ending, replacement)).filter((plural) => plural !== word);
}
