import assert from "node:assert/strict";
import { test } from "node:test";
import { memoize, memoizeByObject } from "./memoize.ts";

test("a value is made once for a key, also where it is undefined", () => {
  const made: string[] = [];
  const lengthOf = memoize((text: string) => {
    made.push(text);
    return text === "" ? undefined : text.length;
  }, 10);

  assert.deepEqual([lengthOf("ab"), lengthOf("ab"), lengthOf(""), lengthOf("")], [2, 2, undefined, undefined]);
  assert.deepEqual(made, ["ab", ""]);
});

test("no more keys are kept than may be, and what fails is not kept", () => {
  let made = 0;
  const double = memoize((number: number) => {
    made += 1;
    if (number < 0) throw new Error("negative");
    return 2 * number;
  }, 2);

  for (const number of [1, 2, 1, 2, 3, 1]) assert.equal(double(number), 2 * number);
  assert.equal(made, 4);
  for (let round = 0; round < 2; round += 1) assert.throws(() => double(-1), /negative/);
  assert.equal(made, 6);
});

test("inputs with the same key share a value", () => {
  const firstOf = memoize(
    ({ name }: { name: string }) => name,
    10,
    ({ name }) => name.toLowerCase(),
  );

  const values = ["Ab", "aB", "b"].map((name) => firstOf({ name }));

  assert.deepEqual(values, ["Ab", "Ab", "b"]);
});

test("a value is made once for an object, and again for one that is equal", () => {
  let made = 0;
  const keysOf = memoizeByObject((object: object) => {
    made += 1;
    return Object.keys(object);
  });
  const place = { name: "Adler" };

  assert.equal(keysOf(place), keysOf(place));
  assert.deepEqual(keysOf({ name: "Adler" }), ["name"]);
  assert.equal(made, 2);
});
