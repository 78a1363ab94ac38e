import { furtherLanguages, lexicon, rankedLanguages } from "../../languages/index.ts";
import { normalize } from "../../text/normalize.ts";
import { linking, prepositions } from "./links.ts";

let known: { phrases: ReadonlySet<string>; wordsMax: number } | undefined;

/** Those of all languages, collected for the first question: some are taken apart letter by letter. */
function collect() {
  const phrases = new Set([...rankedLanguages, ...furtherLanguages].flatMap(herePhrasesOf));
  return { phrases, wordsMax: Math.max(...[...phrases].map((phrase) => phrase.split(" ").length)) };
}

/** Whether the words are a phrase that means *here*, and nothing else. */
export function isHere(words: readonly string[]): boolean {
  const { phrases, wordsMax } = (known ??= collect());
  return words.length <= wordsMax && phrases.has(words.join(" "));
}

/** The phrases of a language that mean *here*, spelled as words are compared. */
export function herePhrasesOf(language: string): string[] {
  return (lexicon.get(language)?.here ?? []).map((phrase) => normalize(phrase).join(" "));
}

/** Whose town, street or position it is: "in my street", "in meiner Stadt", "vicino alla mia posizione". */
const possessives: ReadonlySet<string> = new Set(rankedLanguages.flatMap((tag) => lexicon.get(tag)?.mine ?? []));
const ownWordsMax = 2;

/** The words without a phrase that means *here* at their end or beginning; undefined when there is none. */
export function withoutHere(words: readonly string[]): readonly string[] | undefined {
  const { phrases, wordsMax } = (known ??= collect());
  for (let count = Math.min(wordsMax, words.length); count >= 1; count -= 1) {
    const end = words.length - count;
    if (phrases.has(words.slice(end).join(" "))) return words.slice(0, end);
    if (phrases.has(words.slice(0, count).join(" "))) return words.slice(count);
  }
  return withoutOwn(words) ?? withoutRadius(words);
}

/** Without what is the asker's own, behind a preposition at the end. */
function withoutOwn(words: readonly string[]): readonly string[] | undefined {
  for (let at = words.length - 2; at >= Math.max(2, words.length - 1 - ownWordsMax); at -= 1) {
    if (possessives.has(words[at] ?? "") && isLink(words[at - 1])) return withoutLinks(words.slice(0, at));
  }
  return undefined;
}

const distance =
  /^\d+ ?(?:k?m|mi|miles?|meters?|metres?|metri|metros?|kilometers?|kilometres?|chilometri|kilometros?|min|minutes?)$/;
const radiusWords: ReadonlySet<string> = new Set(rankedLanguages.flatMap((tag) => lexicon.get(tag)?.radius ?? []));

/** Without how far away a place may be: "within 2 km", "im Umkreis von 5 km". How far a search looks is the map's to say. */
function withoutRadius(words: readonly string[]): readonly string[] | undefined {
  const count = [1, 2].find((each) => distance.test(words.slice(-each).join(" ")));
  const before = count === undefined ? "" : (words.at(-count - 1) ?? "");
  if (count === undefined || !(isLink(before) || radiusWords.has(before))) return undefined;
  return withoutLinks(words.slice(0, -count), radiusWords);
}

function withoutLinks(words: readonly string[], others?: ReadonlySet<string>): readonly string[] | undefined {
  const end = words.findLastIndex((word) => !isLink(word) && others?.has(word) !== true) + 1;
  return end === 0 ? undefined : words.slice(0, end);
}

function isLink(word = ""): boolean {
  return linking.has(word) || prepositions.has(word);
}
