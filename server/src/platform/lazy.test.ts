import assert from "node:assert/strict";
import { test } from "node:test";
import { lazy } from "./lazy.ts";

test("a value is made once, when it is first wanted, and again after a failure", async () => {
  let made = 0;
  const value = lazy(async () => {
    made += 1;
    if (made === 1) throw new Error("too many open files");
    return made;
  });
  assert.equal(made, 0);

  await assert.rejects(value(), /too many open files/);
  assert.deepEqual(await Promise.all([value(), value()]), [2, 2]);
  assert.equal(await value(), 2);
});
