import assert from "node:assert/strict";
import { test } from "node:test";
import { joined, type Range, within, without } from "./ranges.ts";

const numbers = (ranges: readonly Range[]) =>
  Array.from({ length: 40 }, (_, at) => at).filter((at) => ranges.some(([first, last]) => first <= at && at <= last));

/** Ranges of 0 to 39, by a number that says which. */
function rangesOf(seed: number): Range[] {
  return Array.from({ length: seed % 5 }, (_, at): Range => {
    const first = (seed * 7 + at * 13 + ((seed * at) % 11)) % 36;
    return [first, Math.min(39, first + ((seed + at * 3) % 7))];
  });
}

test("ranges are joined, and taken from others, as their numbers are", () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const [one, other] = [joined(rangesOf(seed)), joined(rangesOf(seed * 3 + 1))];

    assert.deepEqual(numbers(one), numbers(rangesOf(seed)));
    for (const [at, [first]] of one.entries()) if (at > 0) assert.ok(first > (one[at - 1]?.[1] ?? 0) + 1);
    const taken = new Set(numbers(other));
    const left = without(one, other);
    assert.deepEqual(
      numbers(left),
      numbers(one).filter((number) => !taken.has(number)),
      JSON.stringify([one, other]),
    );
    const rows = Array.from({ length: 40 }, (_, at): [number] => [at]);
    assert.deepEqual(
      within(rows, one).map(([place]) => place),
      numbers(one),
    );
  }
});
