import type { Variants } from "../language.ts";

/** Other ways to say a term, by rule; real terms always win over these. */
export function variantsOf(words: readonly string[], rules: Variants = {}): string[][] {
  if (rules.article !== undefined) return withArticle(words, rules.article);
  const variants = [...swapped(words, rules), ...respelled(words, rules), ...soldInShops(words, rules)];
  if (rules.compounds !== true) return variants;
  return [...variants, ...[words, ...variants].filter(isPair).map((pair) => [pair.join("")])];
}

/** "المطاعم" is restaurants, "محطة البنزين" and "الأسواق الشعبية" have the article within and throughout. */
function withArticle(words: readonly string[], article: string): string[][] {
  if (words.length > 2 || words.some((word) => word.startsWith(article))) return [];
  const [first = "", ...others] = words.map((word) => article + word);
  return [[first, ...others], ...(others.length > 0 ? [[...words.slice(0, 1), ...others]] : [])];
}

function isPair(words: readonly string[]): boolean {
  return words.length === 2 && words.every((word) => word.length >= 3);
}

function swapped(words: readonly string[], { endings = [], beginnings = [] }: Variants): string[][] {
  const last = words.at(-1) ?? "";
  const end = endings.find((ending) => last.endsWith(ending) && last.length > ending.length + 2);
  const stem = end === undefined ? undefined : last.slice(0, -end.length);
  const compounds = stem === undefined ? [] : endings.filter((other) => other !== end).map((other) => stem + other);
  const [first = ""] = words;
  const isPhrase = beginnings.includes(first) && words.length > 1;
  const phrases = isPhrase ? beginnings.filter((other) => other !== first) : [];
  return [
    ...compounds.map((compound) => [...words.slice(0, -1), compound]),
    ...phrases.map((other) => [other, ...words.slice(1)]),
  ];
}

function respelled(words: readonly string[], { spellings = {} }: Variants): string[][] {
  return Object.entries(spellings).flatMap(([here, there]) =>
    words.includes(here) ? [words.map((word) => (word === here ? there : word))] : [],
  );
}

/** "Toys shop" and "toy store", "sport store" and "sports shop". */
function soldInShops(words: readonly string[], { shops = [] }: Variants): string[][] {
  const last = words.at(-1) ?? "";
  if (!shops.includes(last) || words.length < 2) return [];
  const sold = words.slice(0, -1);
  const thing = sold.at(-1) ?? "";
  const otherNumber = thing.endsWith("s") ? thing.slice(0, -1) : `${thing}s`;
  return shops.flatMap((shop) => [
    ...(shop === last ? [] : [[...sold, shop]]),
    ...(thing.length > 2 ? [[...sold.slice(0, -1), otherNumber, shop]] : []),
  ]);
}
