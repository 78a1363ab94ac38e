import { lexicon } from "../languages/index.ts";
import { wordsOf } from "../text/words.ts";

type Ending = readonly [spelled: string, short: string];

/** Words of streets in all languages, each with its shortest form. */
const shortWords = new Map<string, string>();
/** What other words end with: Bahnhofstrasse, Storgatan. */
const endings: Ending[] = [];

for (const { streets = {} } of lexicon.values()) {
  for (const [short, spellings] of Object.entries(streets)) {
    for (const spelled of spellings) {
      if (!short.startsWith("-")) shortWords.set(spelled, short);
      else {
        endings.push([spelled.slice(1), short.slice(1)]);
        shortWords.set(spelled.slice(1), short.slice(1));
      }
    }
  }
}

/** The words of a street as they are compared, however it is abbreviated. */
export function streetOf(words: readonly string[]): string {
  return words.map(shortened).join(" ");
}

function shortened(word: string): string {
  const short = shortWords.get(word);
  if (short !== undefined) return short;
  const ending = endings.find(([spelled]) => word.endsWith(spelled));
  return ending ? word.slice(0, -ending[0].length) + ending[1] : word;
}

const number = /^\d+[a-z]?$/;
const letter = /^[a-z]$/;
/** What stands behind the number of a house that has another beside it. */
const addition = /^(?:bis|ter|quater)$/;

/** A street as it is compared, and the house: its number stands last or first; of several the first, with all of them. */
export type ReadStreet = { street: string; house: string; houses: readonly string[] };

export function readStreet(written: string | null): ReadStreet {
  const words = joined(wordsOf(written ?? ""));
  const end = words.findLastIndex((word) => !number.test(word)) + 1;
  if (end > 0 && end < words.length) return streetWith(words.slice(0, end), words.slice(end));
  const from = words.findIndex((word) => !number.test(word));
  return from > 0 ? streetWith(words.slice(from), words.slice(0, from)) : streetWith(words, []);
}

function streetWith(words: readonly string[], numbers: readonly string[]): ReadStreet {
  const plain = numbers.map((each) => each.replace(/[a-z]$/, ""));
  return { street: streetOf(words), house: numbers[0] ?? "", houses: [...new Set([...numbers, ...plain])] };
}

/** "12 b" is 12b, "12 bis" is 12. */
function joined(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (const word of words) {
    const before = kept.at(-1) ?? "";
    if (/^\d+$/.test(before) && letter.test(word)) kept[kept.length - 1] = before + word;
    else if (!number.test(before) || !addition.test(word)) kept.push(word);
  }
  return kept;
}
