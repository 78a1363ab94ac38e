import { cellMax } from "./cells.ts";

/**
 * How many places a block holds at most, unless one cell alone holds more. Smaller blocks are
 * read faster; larger ones mean fewer dictionaries to look a word up in.
 */
export const blockPlacesMax = 8_192;

export type Leaf = { first: number; last: number };
export type Counts = readonly (readonly [cell: number, places: number])[];

const earth: Leaf = { first: 0, last: cellMax };

/** Splits the earth in four, and each part again, until no part holds more than a block may. */
export function partition(counts: Counts, placesMax = blockPlacesMax, whole = earth): Leaf[] {
  const leaves: Leaf[] = [];
  const divide = (first: number, last: number, from: number, to: number) => {
    if (from === to) return;
    let places = 0;
    for (let index = from; index < to; index += 1) places += counts[index]?.[1] ?? 0;
    if (places <= placesMax || first === last) {
      leaves.push({ first, last });
      return;
    }
    const quarter = (last - first + 1) / 4;
    let start = from;
    for (let part = 0; part < 4; part += 1) {
      const partLast = first + quarter * (part + 1) - 1;
      let end = start;
      while (end < to && (counts[end]?.[0] ?? 0) <= partLast) end += 1;
      divide(first + quarter * part, partLast, start, end);
      start = end;
    }
  };
  divide(whole.first, whole.last, 0, counts.length);
  return leaves;
}
