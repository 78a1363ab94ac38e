import { type Counts, type Leaf, partition } from "../../geography/cell-ranges.ts";

/** A square of cells, and how many records it holds that are to be compared. */
export type Square = Leaf & { records: number };

/** So many records, and so many squares, are read with one statement. */
const recordsAtOnce = 5_000;
const squaresAtOnce = 64;

/** The parts of a square that hold no more records than may be compared at once; those of a crowd are not compared. */
export function squaresOf({ first, last }: Leaf, counts: Counts, recordsMax: number): Square[] {
  const inside = counts.filter(([cell]) => cell >= first && cell <= last);
  return partition(inside, recordsMax, { first, last }).map((part) => {
    const own = inside.filter(([cell]) => cell >= part.first && cell <= part.last);
    const records = own.reduce((sum, [, count]) => sum + count, 0);
    return { ...part, records: records > recordsMax ? 0 : records };
  });
}

/** The cells that alone hold more than may be compared at once. */
export function crowdsIn(counts: Counts, recordsMax: number): number[] {
  return counts.flatMap(([cell, records]) => (records > recordsMax ? [cell] : []));
}

/** Squares that are read together, in their order. */
export function* batchesOf(squares: readonly Square[]): Iterable<Square[]> {
  let batch: Square[] = [];
  let held = 0;
  for (const square of squares) {
    if (batch.length > 0 && (batch.length >= squaresAtOnce || held + square.records > recordsAtOnce)) {
      yield batch;
      batch = [];
      held = 0;
    }
    batch.push(square);
    held += square.records;
  }
  if (batch.length > 0) yield batch;
}
