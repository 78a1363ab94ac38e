import assert from "node:assert/strict";
import { test } from "node:test";
import { advisoryLocks, advisoryLockSpaces } from "./advisory-locks.ts";

test("no two purposes share a lock number", () => {
  for (const numbers of [Object.values(advisoryLocks), Object.values(advisoryLockSpaces)]) {
    assert.equal(new Set<number>(numbers).size, numbers.length);
  }
});

test("each number fits the function that takes it", () => {
  for (const number of Object.values(advisoryLocks)) assert.ok(Number.isSafeInteger(number) && number > 2 ** 31);
  for (const number of Object.values(advisoryLockSpaces)) assert.ok(Number.isInteger(number) && number < 2 ** 31);
});
