import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson } from "../canonical-json.ts";
import { JsonProblem, parseStrictJson } from "./json.ts";

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const problemsOf = (bytes: Buffer): readonly string[] => {
  try {
    parseStrictJson(bytes);
    return [];
  } catch (error) {
    assert.ok(error instanceof JsonProblem);
    return error.details;
  }
};

test("any JSON value is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

test("a name given twice in one object is refused where it stands", () => {
  assert.deepEqual(problemsOf(Buffer.from('{"q":"a","q":"b"}')), ["/q: is given more than once"]);
  assert.deepEqual(problemsOf(Buffer.from('{"a":[1,{"b/c":1,"b/c":2}]}')), ["/a/1/b~1c: is given more than once"]);
  assert.deepEqual(problemsOf(Buffer.from('{"q":1, "\\u0071" : 2}')), ["/q: is given more than once"]);
  assert.deepEqual(problemsOf(Buffer.from('{"x":{"__proto__":1,"__proto__":2}}')), [
    "/x/__proto__: is given more than once",
  ]);
});

test("the same name in different objects, and in strings, is fine", () => {
  for (const text of [
    '{"a":{"a":1},"b":{"a":2}}',
    '[{"a":1},{"a":2}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":"x","A":"y"}',
  ]) {
    assert.deepEqual(parse(text), JSON.parse(text));
  }
});

test("what is empty, not UTF-8 or not JSON is told so", () => {
  assert.match(problemsOf(Buffer.alloc(0))[0] ?? "", /empty/);
  assert.match(problemsOf(Buffer.from([0x22, 0xff, 0x22]))[0] ?? "", /UTF-8/);
  for (const text of ["{", "{'q':1}", "q", "[1,]", '{"q":1}x', "NaN", " ", '{"q', '{"q":"\\', '{"\\q":1}', "]", "}{"]) {
    assert.match(problemsOf(Buffer.from(text))[0] ?? "", /not JSON/, text);
  }
});

test("what takes long to parse is refused before, and what is just within is read", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const names = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(",")}}`;
  const values = (count: number) => `[${"0,".repeat(count - 1)}0]`;

  for (const text of [nested(100), names(1_000), values(100_000)]) parse(text);
  for (const text of [nested(101), `[[${nested(99)}`, '{"a":'.repeat(101)]) {
    assert.deepEqual(problemsOf(Buffer.from(text)), [
      "the body is nested more than 100 levels deep; send a flatter one",
    ]);
  }
  assert.deepEqual(problemsOf(Buffer.from(names(1_001))), ["the body has more than 1000 names; send fewer"]);
  assert.deepEqual(problemsOf(Buffer.from(values(100_001))), ["the body has more than 100000 values; send fewer"]);
});

test("a long name around repeated ones is shortened", () => {
  const long = "a".repeat(1_000);
  const [detail = ""] = problemsOf(Buffer.from(`{"${long}":{"q":1,"q":2}}`));
  assert.equal(detail, `/${"a".repeat(200)}…/q: is given more than once`);
});

test("equal values have equal canonical texts, whatever the order of their names", () => {
  assert.equal(canonicalJson({ b: [1, { d: 1, c: 2 }], a: null }), canonicalJson({ a: null, b: [1, { c: 2, d: 1 }] }));
  assert.notEqual(canonicalJson({ a: 1 }), canonicalJson({ a: "1" }));
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
});
