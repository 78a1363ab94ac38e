import type { Type as TypeBox } from "typebox";

type Schema = Record<string, unknown>;

const optional = new WeakSet<Schema>();

const ofType =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

const builders = {
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: "array", items, ...options }),
  Boolean: ofType("boolean"),
  Enum: (values: readonly string[], options: Schema = {}): Schema => ({ enum: values, ...options }),
  Integer: ofType("integer"),
  Literal: (value: string | number | boolean, options: Schema = {}): Schema => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: ofType("null"),
  Number: ofType("number"),
  Object(properties: Record<string, Schema>, options: Schema = {}): Schema {
    const required = Object.entries(properties).flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]));
    return { type: "object", ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional(schema: Schema): Schema {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  Ref: (id: string, options: Schema = {}): Schema => ({ $ref: id, ...options }),
  String: ofType("string"),
  Union: (schemas: readonly Schema[], options: Schema = {}): Schema => ({ anyOf: schemas, ...options }),
  Unknown: (options: Schema = {}): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => ({ ...schema }),
};

/**
 * JSON Schemas with TypeBox's types, and with what TypeBox itself makes of them: a test compares the two. TypeBox's own
 * builders come with 373 modules, which took a quarter of the time in which this service is loaded.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test beside this file compares each builder
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;
