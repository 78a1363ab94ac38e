import { ImportProblem } from "../reader.ts";

/** A member of a relation takes as much memory as ten nodes of a way. */
export const memberWeight = 10;
const smallFileReferences = 4_000_000;

/**
 * Counts what is kept between passes: eight bytes each. A real reference takes a byte of the file or
 * more, so a file that makes us keep more than that is damaged, or packed to exhaust us.
 */
export function createBudget(fileBytes: number): (count: number) => void {
  let left = smallFileReferences + fileBytes * 2;
  return (count) => {
    left -= count;
    if (left < 0)
      throw new ImportProblem("The file refers to more nodes and members than its size allows; it is damaged.");
  };
}
