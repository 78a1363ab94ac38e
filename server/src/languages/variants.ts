/** Words that mean the same at the end of a compound, by language. */
const endings: Readonly<Record<string, readonly string[]>> = {
  de: ["laden", "geschaft", "handlung"],
  nl: ["winkel", "zaak"],
};

/** First words that mean the same: `magasin de jouets`, `boutique de jouets`. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  fr: ["magasin", "boutique"],
  es: ["tienda", "comercio"],
  it: ["negozio", "bottega"],
  pt: ["loja", "comercio"],
  ca: ["botiga", "tenda"],
};

const shopWords = ["shop", "store"];

/** Spellings of the two sides of the Atlantic. */
const spellings: readonly (readonly [string, string])[] = [
  ["center", "centre"],
  ["theater", "theatre"],
  ["jewelry", "jewellery"],
  ["tire", "tyre"],
  ["parlor", "parlour"],
  ["cozy", "cosy"],
];

/** Languages that write two nouns as one word, or could. */
const compounding = new Set(["en", "de", "nl"]);

/** Other ways to say a term, by rule; real terms always win over these. */
export function variantsOf(words: readonly string[], language: string): string[][] {
  if (language === "ar") return withArticle(words);
  const variants = [...swapped(words, language), ...(language === "en" ? englishVariants(words) : [])];
  if (!compounding.has(language)) return variants;
  return [...variants, ...[words, ...variants].filter(isPair).map((pair) => [pair.join("")])];
}

/** "المطاعم" is restaurants, "محطة البنزين" and "الأسواق الشعبية" have the article within and throughout. */
function withArticle(words: readonly string[]): string[][] {
  if (words.length > 2 || words.some((word) => word.startsWith(article))) return [];
  const [first = "", ...others] = words.map((word) => article + word);
  return [[first, ...others], ...(others.length > 0 ? [[...words.slice(0, 1), ...others]] : [])];
}

const article = "ال";

function isPair(words: readonly string[]): boolean {
  return words.length === 2 && words.every((word) => word.length >= 3);
}

function swapped(words: readonly string[], language: string): string[][] {
  const last = words.at(-1) ?? "";
  const ends = endings[language] ?? [];
  const end = ends.find((ending) => last.endsWith(ending) && last.length > ending.length + 2);
  const stem = end === undefined ? undefined : last.slice(0, -end.length);
  const compounds = stem === undefined ? [] : ends.filter((other) => other !== end).map((other) => stem + other);
  const starts = beginnings[language] ?? [];
  const [first = ""] = words;
  const phrases = starts.includes(first) && words.length > 1 ? starts.filter((other) => other !== first) : [];
  return [
    ...compounds.map((compound) => [...words.slice(0, -1), compound]),
    ...phrases.map((other) => [other, ...words.slice(1)]),
  ];
}

function englishVariants(words: readonly string[]): string[][] {
  const variants = spellings.flatMap(([here, there]) =>
    words.includes(here) ? [words.map((word) => (word === here ? there : word))] : [],
  );
  const last = words.at(-1) ?? "";
  if (!shopWords.includes(last) || words.length < 2) return variants;
  const sold = words.slice(0, -1);
  const thing = sold.at(-1) ?? "";
  // "Toys shop" and "toy store", "sport store" and "sports shop".
  const otherNumber = thing.endsWith("s") ? thing.slice(0, -1) : `${thing}s`;
  for (const shop of shopWords) {
    if (shop !== last) variants.push([...sold, shop]);
    if (thing.length > 2) variants.push([...sold.slice(0, -1), otherNumber, shop]);
  }
  return variants;
}
