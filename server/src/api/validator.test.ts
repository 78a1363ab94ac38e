import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { validatorOptions } from "./validator.ts";

const ajv = new Ajv(validatorOptions.customOptions);
for (const plugIn of validatorOptions.plugins) plugIn(ajv);
const validate = ajv.compile({ type: "array", maxItems: 6, uniqueItems: true });
const rules = (items: unknown[]) => (validate(items) ? [] : validate.errors?.map(({ keyword }) => keyword));

test("the same item twice is refused, whatever it is", () => {
  assert.deepEqual(rules(["a", "b", 1, "1", null, { a: 1 }]), []);
  for (const item of ["a", 1, null, { a: [1] }]) assert.deepEqual(rules([item, "x", item]), ["uniqueItems"]);
});

// 64 KiB of distinct objects took seconds when each was compared with every other.
test("thousands of distinct items are compared within 100 ms", () => {
  const items = Array.from({ length: 6_668 }, (_, index) => ({ a: index }));
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    assert.deepEqual(rules(items), ["maxItems"]);
    return performance.now() - startedAt;
  });

  assert.ok(Math.min(...times) < 100, `${Math.min(...times)} ms`);
});

test("items are looked at one by one where there are no more than there may be", () => {
  const few = ajv.compile({ type: "array", maxItems: 3, items: { type: "string" } });
  const errorsOf = (items: unknown[]) => (few(items) ? [] : few.errors?.map(({ message }) => message));

  assert.deepEqual(errorsOf(["a", "b", "c"]), []);
  assert.deepEqual(errorsOf(["a", 1, 2]), ["must be string", "must be string"]);
  assert.deepEqual(errorsOf([1, 2, 3, 4]), ["must NOT have more than 3 items"]);
});

test("a schema is compiled by the first value that it validates", () => {
  const broken = ajv.compile({ type: "no such type" });
  assert.throws(() => broken(1), /type must be JSONType/);
});
