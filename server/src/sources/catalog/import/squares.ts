import { type Counts, type Leaf, partition } from "./leaves.ts";

/** A square of cells, and how many records it holds that are to be compared. */
export type Square = Leaf & { records: number };

export type Limits = {
  /** More records are compared a part of the square at a time. */
  recordsInSquare: number;
  /** So many in one cell are no businesses that stand there, but what somebody could not place. */
  recordsInCell: number;
};

/** So many records, and so many squares, are read with one statement. */
const recordsAtOnce = 5_000;
const squaresAtOnce = 64;

/** The parts of a square that hold no more than may be compared at once, down to single cells. Those of a crowd are not. */
export function squaresOf({ first, last }: Leaf, counts: Counts, limits: Limits): Square[] {
  const inside = counts.filter(([cell]) => cell >= first && cell <= last);
  return partition(inside, limits.recordsInSquare, { first, last }).map((part) => {
    const compared = inside.filter(
      ([cell, records]) => cell >= part.first && cell <= part.last && records <= limits.recordsInCell,
    );
    return { ...part, records: compared.reduce((sum, [, records]) => sum + records, 0) };
  });
}

/** The cells that hold more than may stand in one. */
export function crowdsIn(counts: Counts, { recordsInCell }: Limits): number[] {
  return counts.flatMap(([cell, records]) => (records > recordsInCell ? [cell] : []));
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
