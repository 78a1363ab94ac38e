import assert from "node:assert/strict";
import { test } from "node:test";
import { Type as TypeBox } from "typebox";
import { Type } from "./schema.ts";

/** One schema of each kind, with and without options. */
const samples = (Builder: typeof Type) => ({
  Array: [Builder.Array(Builder.String()), Builder.Array(Builder.Null(), { maxItems: 3, description: "few" })],
  Boolean: [Builder.Boolean(), Builder.Boolean({ default: false })],
  Enum: [Builder.Enum(["a", "b"]), Builder.Enum([...new Set(["a"])], { type: "string" })],
  Integer: [Builder.Integer(), Builder.Integer({ minimum: 1, maximum: 10 })],
  Literal: [Builder.Literal("x"), Builder.Literal(3, { description: "three" }), Builder.Literal(true)],
  Null: [Builder.Null(), Builder.Null({ description: "nothing" })],
  Number: [Builder.Number(), Builder.Number({ exclusiveMinimum: 0 })],
  Object: [
    Builder.Object({}),
    Builder.Object({ only: Builder.Optional(Builder.String()) }),
    Builder.Object(
      { first: Builder.String(), second: Builder.Optional(Builder.Integer({ minimum: 1 })), third: Builder.Null() },
      { $id: "Sample", additionalProperties: false },
    ),
  ],
  Optional: [Builder.Optional(Builder.String({ format: "uuid" }))],
  Ref: [Builder.Ref("Sample"), Builder.Ref("Sample", { description: "that one" })],
  String: [Builder.String(), Builder.String({ pattern: "^a$", maxLength: 1 })],
  Union: [Builder.Union([Builder.String(), Builder.Null()]), Builder.Union([Builder.Null()], { description: "one" })],
  Unknown: [Builder.Unknown(), Builder.Unknown({ description: "anything" })],
  Unsafe: [Builder.Unsafe<string>({ type: "string" }), Builder.Unsafe<string>(Builder.Ref("Sample"))],
});

test("every builder writes what TypeBox writes, in its order", () => {
  const ours = samples(Type);

  assert.deepEqual(Object.keys(ours), Object.keys(Type));
  assert.equal(JSON.stringify(ours), JSON.stringify(samples(TypeBox)));
});

test("a schema stays required in one object when it is optional in another", () => {
  const shared = Type.String();

  const one = Type.Object({ name: Type.Optional(shared) });
  const other = Type.Object({ name: shared });

  assert.deepEqual([one.required, other.required], [undefined, ["name"]]);
});
