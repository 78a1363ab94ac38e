import { isHere } from "../../query/here.ts";
import { nearness } from "../../query/links.ts";
import { readWhat } from "../../query/question.ts";

/** Longer questions are not searched for *here* in their middle. */
const wordsMax = 10;

/** A kind of place and what it has, without the words between them that mean *here*: "аптека рядом круглосуточно". */
export function kindAroundHere(words: readonly string[], hl: string): readonly string[] | undefined {
  if (words.length > wordsMax || readWhat(words, hl).isKind) return undefined;
  for (let count = words.length - 2; count >= 1; count -= 1) {
    for (let from = 1; from + count < words.length; from += 1) {
      const phrase = words.slice(from, from + count);
      // "Hotel vicino stazione" is near something else.
      if (!isHere(phrase) || nearness.has(phrase.join(" "))) continue;
      const rest = [...words.slice(0, from), ...words.slice(from + count)];
      if (readWhat(rest, hl).isKind) return rest;
    }
  }
  return undefined;
}
