import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bitsOf, editDistance, letterSet } from "./edit-distance.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "é", "東"), maxLength: 9 });

test("the bounded distance is the plain one, as far as the bound reaches", () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, max) => {
      assert.equal(editDistance(a, b, max), Math.min(max + 1, plainDistance(a, b)));
    }),
    { numRuns: 3_000 },
  );
});

test("words within some edits never differ in more than two letters' bits per edit", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.ok(bitsOf(letterSet(a) ^ letterSet(b)) <= 2 * plainDistance(a, b));
    }),
    { numRuns: 3_000 },
  );
});

/** The textbook's table, with swaps of neighbors. */
function plainDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) => Array.from({ length: b.length + 1 }, () => row));
  const at = (row: number, column: number) => table[row]?.[column] ?? 0;
  const set = (row: number, column: number, value: number) => {
    const line = table[row];
    if (line) line[column] = value;
  };
  for (let column = 0; column <= b.length; column += 1) set(0, column, column);
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replaced, at(row - 1, column) + 1, at(row, column - 1) + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, at(row - 2, column - 2) + 1);
      }
      set(row, column, least);
    }
  }
  return at(a.length, b.length);
}
