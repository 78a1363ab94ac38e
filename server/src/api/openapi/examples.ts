/** As much of a JSON Schema as an example is made from. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: object[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  format?: string;
  minimum?: number;
  minItems?: number;
  pattern?: string;
  description?: string;
};

const idPart = "01k5v7h2f4e8ka9s6c3d0b1x7k";

/** Makes examples for schemas: named ones have theirs in a table, the rest is put together from its parts. */
export function createExampleMaker(named: Readonly<Record<string, unknown>>) {
  return function exampleOf(schema: Schema, name = ""): unknown {
    const reference = schema.$ref?.split("/").at(-1);
    if (reference !== undefined) {
      if (Object.hasOwn(named, reference)) return named[reference];
      throw new Error(`openapi/example-values.ts has no example for ${reference}`);
    }
    const written = [schema.examples?.[0], schema.example, schema.const, schema.enum?.[0], schema.default];
    const given = written.find((value) => value !== undefined);
    if (given !== undefined) return given;
    const [first] = schema.anyOf ?? schema.oneOf ?? [];
    if (first) return name === "next_cursor" ? null : exampleOf(first, name);
    if (schema.properties) {
      const required = Object.entries(schema.properties).filter(([property]) => schema.required?.includes(property));
      return Object.fromEntries(required.map(([property, value]) => [property, exampleOf(value, property)]));
    }
    if (schema.type === "array") {
      const item = schema.items;
      return item ? Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(item, name)) : [];
    }
    return plainExample(schema);
  };
}

function plainExample({ type, format, minimum, pattern }: Schema): unknown {
  const [, prefix] = /^\^([a-z]{3}_)/.exec(pattern ?? "") ?? [];
  if (prefix !== undefined) return `${prefix}${idPart}`;
  if (format === "date-time") return "2026-09-22T08:15:30.000Z";
  if (format === "uuid") return "01996d78-88f2-7232-a4e4-c60cd0b0f4f4";
  if (type === "integer" || type === "number") return Math.max(minimum ?? 0, 1);
  if (type === "boolean") return true;
  return "text";
}
