import { fillers, isPreposition, linking, nearness, townWords } from "../../query/links.ts";
import { isOtherPreposition } from "../../query/other-prepositions.ts";
import { splitsOf } from "../../query/split.ts";

/**
 * Whether the question says outright that it names a where, in its own language: behind a preposition or a comma.
 * Whether that exists is for others to say; "in the city center" names none.
 */
export function namesWhere(segments: readonly (readonly string[])[], hl: string): boolean {
  for (const { mark, what, where } of splitsOf(
    segments,
    (word) => isPreposition(word, hl) || isOtherPreposition(word, hl),
  )) {
    if (mark !== "preposition" && mark !== "comma") return false;
    if (what.length > 0 && where.some((word) => !isGeneric(word))) return true;
  }
  return false;
}

function isGeneric(word: string): boolean {
  return linking.has(word) || nearness.has(word) || townWords.has(word) || fillers.has(word);
}
