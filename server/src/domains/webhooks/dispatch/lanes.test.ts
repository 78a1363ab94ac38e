import assert from "node:assert/strict";
import { test } from "node:test";
import { createLanes, initialWidth } from "./lanes.ts";

const begun = (turn: Promise<void>) => Promise.race([turn.then(() => true), Promise.resolve().then(() => false)]);

test("a lane lets as many attempts begin as it is wide, and the next when one ends", async () => {
  const lanes = createLanes({ heldMax: 100, widthMax: 8 });
  const turns = Array.from({ length: initialWidth + 1 }, () => {
    lanes.enter("a");
    return lanes.turn("a");
  });

  await Promise.all(turns.slice(0, initialWidth));
  assert.equal(await begun(turns[initialWidth] ?? Promise.reject(new Error("no turn"))), false);
  lanes.leave("a", false);

  await turns[initialWidth];
});

test("a lane that hangs narrows to one, and widens again when it answers", async () => {
  const lanes = createLanes({ heldMax: 100, widthMax: 8 });
  const attempt = async (isSlow: boolean) => {
    lanes.enter("a");
    await lanes.turn("a");
    lanes.leave("a", isSlow);
  };

  for (let count = 0; count < 5; count += 1) await attempt(true);
  assert.equal(lanes.rooms().get("a"), 1);
  for (let round = 0; round < 20; round += 1) {
    for (let count = 0; count < 20; count += 1) lanes.enter("a");
    const turns = Array.from({ length: 20 }, () => lanes.turn("a").then(() => lanes.leave("a", false)));
    await Promise.all(turns);
  }

  assert.equal(lanes.rooms().get("a"), 16);
});

test("lanes that hang hold at most half of the places together", () => {
  const lanes = createLanes({ heldMax: 10, widthMax: 8 });
  const names = Array.from({ length: 20 }, (_, index) => `slow ${index}`);
  for (const name of names) {
    lanes.enter(name);
    void lanes.turn(name);
    lanes.leave(name, true);
  }

  const taken: string[] = [];
  for (const name of names) {
    if ((lanes.rooms().get(name) ?? initialWidth) === 0) continue;
    lanes.enter(name);
    taken.push(name);
  }

  assert.equal(taken.length, 5);
  assert.equal(lanes.free(), 5);
});

test("lanes that hold many leave half of the places to those that hold few", () => {
  const lanes = createLanes({ heldMax: 40, widthMax: 32 });
  const room = (name: string) => lanes.rooms().get(name) ?? initialWidth;

  for (let count = lanes.free(); count > 0; count -= 1) lanes.enter("wide");
  lanes.enter("narrow");

  assert.deepEqual([room("wide"), room("narrow"), room("new")], [0, initialWidth - 1, initialWidth]);
  assert.equal(lanes.free(), 19);
});
