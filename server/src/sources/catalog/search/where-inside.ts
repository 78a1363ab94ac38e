import { fillers } from "../../query/links.ts";
import { prepositionsFor } from "../../query/other-prepositions.ts";
import { type Question, readWhat } from "../../query/question.ts";
import { innerSplitsOf, type Split } from "../../query/split.ts";
import type { FoundArea } from "./areas.ts";
import { type Among, correctInflected, isOfKind, languageOf, type PlacedSplit } from "./corrected-where.ts";

/** Longer questions are not searched for a where in their middle. */
const innerQueryMax = 10;

/**
 * A where with other words on both sides, and a kind of place among them: "hotel in Kotor with pool" is in Kotor,
 * although there is a town of Pool somewhere. A town of the world is so sure only where the catalog has places, and
 * behind a preposition or where nothing but it is left to read: "dentist Phoenix open now".
 */
export function findInside(
  segments: readonly (readonly string[])[],
  among: Among,
  whole: Question,
  ofWorld: PlacedSplit | undefined,
): PlacedSplit | undefined {
  const { hl, areas, preference } = among;
  const [words = []] = segments;
  if (segments.length > 1 || words.length > innerQueryMax) return undefined;
  if (ofWorld && (ofWorld.mark !== "beside" || ofWorld.area.isCovered)) return undefined;
  let covered: PlacedSplit | undefined;
  for (const split of innerSplitsOf(words, prepositionsFor(hl))) {
    if (ofWorld && overlap(split, ofWorld)) continue;
    if (touchesKind(whole, split.whereFrom, split.where.length)) continue;
    const phrase = split.where.join(" ");
    const inflected = split.mark === "preposition" ? correctInflected(split.where, among) : undefined;
    const own = areas.findOwn(phrase, preference) ?? inflected;
    // A kind of place in another language than that of the request is one before a preposition, or in the town's own.
    if (whole.categories.length === 0 && split.mark !== "preposition" && !(own && isLocalKind(split, own))) continue;
    if (own) return { ...split, area: own };
    if (covered || !(split.mark === "preposition" || isAllTheRest(whole, split))) continue;
    const area = areas.find(phrase, preference);
    if (area?.isCovered) covered = { ...split, area };
  }
  return covered;
}

function isLocalKind({ what }: Split, area: FoundArea): boolean {
  const local = languageOf(area);
  return local !== undefined && isOfKind(readWhat(what, local));
}

/** Whether every word that is read as neither a kind nor an attribute is one of the where. */
function isAllTheRest({ restMask, skipped = 0 }: Question, { where, whereFrom }: Split): boolean {
  const whereMask = ((1 << where.length) - 1) << (whereFrom - skipped);
  return whereFrom >= skipped && (restMask & ~whereMask) === 0;
}

function overlap(a: Split, b: Split): boolean {
  return a.whereFrom < b.whereFrom + b.where.length && b.whereFrom < a.whereFrom + a.where.length;
}

/** Whether the where takes words of the kind: not when all of them are in its name, as in "Starbucks Redondo Beach". */
export function touchesKind(
  { words, restMask, categories, skipped = 0 }: Question,
  from: number,
  count: number,
): boolean {
  if (categories.length === 0) return false;
  const namesKind = (word: string, index: number) => (restMask & (1 << index)) === 0 && !fillers.has(word);
  const ofKind = words.flatMap((word, index) => (namesKind(word, index) ? [index + skipped] : []));
  const taken = ofKind.filter((index) => index >= from && index < from + count);
  return taken.length > 0 && (taken.length === count || taken.length < ofKind.length);
}
