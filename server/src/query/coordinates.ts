import { parseViewport } from "../geography/points.ts";
import { words } from "./words/lexicon.ts";
import { tokensOf, typedText } from "./tokens.ts";

/** A question without the coordinates at its end, as it was typed, and what a map shows around them. */
export type Coordinates = { rest: string; ll: string };

/** Two numbers with at least two decimals each: one with fewer may be a size or a price. */
const atEnd = /(?:^|[\s,;(@])(-?\d{1,2}\.\d{2,15})°?[\s,;]{1,4}(-?\d{1,3}\.\d{2,15})°?\)?$/;
/** About as far as people walk. */
const zoom = 15;

/** "Coffee near 47.1410, 9.5209"; undefined where no such point is on earth. */
export function readCoordinates(q: string): Coordinates | undefined {
  const found = atEnd.exec(q.trimEnd());
  if (!found) return undefined;
  const ll = `@${found[1]},${found[2]},${zoom}z`;
  const before = q.slice(0, found.index);
  const tokens = tokensOf(before);
  const end = tokens.findLastIndex(({ norm }) => !isLink(norm)) + 1;
  return parseViewport(ll) && { rest: typedText(before, tokens, (at) => at < end), ll };
}

function isLink(word: string): boolean {
  return (
    words()
      .byPhrase.get(word)
      ?.some(({ type }) => type === "link") === true
  );
}
