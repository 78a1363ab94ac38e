import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as round } from "node:timers/promises";
import { createTurns } from "./turns.ts";

test("one caller goes on in each round of the event loop, in the order they came", async () => {
  const takeTurn = createTurns();
  const gone: number[] = [];
  for (let caller = 1; caller <= 3; caller += 1) void takeTurn().then(() => gone.push(caller));
  const seen: number[] = [];

  for (let count = 0; count < 3; count += 1) {
    await round();
    seen.push(gone.length);
  }
  void takeTurn().then(() => gone.push(4));
  await round();

  assert.deepEqual(seen, [1, 2, 3]);
  assert.deepEqual(gone, [1, 2, 3, 4]);
});
