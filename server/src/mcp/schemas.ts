import { Type } from "../platform/schema.ts";
import type { PageRequest } from "../platform/pages.ts";
import type { TSchema } from "typebox";

// Names of schemas clash between tools, and the rest is for people who read the API reference: an
// agent pays for every word of a tool's schema.
const leftOut = new Set([
  "$id",
  "description",
  "examples",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "required",
  "additionalProperties",
]);

/** The shape of what a tool returns, without the rules and sentences that the API reference has. */
export function bareSchema<Schema extends TSchema>(schema: Schema): Schema {
  return joinNull(strip(schema, leftOut)) as Schema; // a looser schema of the same shape
}

/** Says "this type or null" in the short form, which many fields have. */
function joinNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(joinNull);
  if (typeof schema !== "object" || schema === null) return schema;
  const [first, second, ...more] = "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (first?.type && Object.keys(first).length === 1 && second?.type === "null" && more.length === 0) {
    return { type: [first.type, "null"] };
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, joinNull(value)]));
}

/** A schema without its name, which clients that compile several tools together would find twice. */
export function unnamedSchema(schema: TSchema): TSchema {
  return strip(schema, new Set(["$id"])) as TSchema;
}

/**
 * The schema as clients get it, with patterns that their engines compile: those of Rust and Go know no surrogates, and
 * a client in Python would refuse the whole tool. The service goes on refusing what such a pattern refuses.
 */
export function portableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portableSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => !(name === "pattern" && namesSurrogates(value)));
  return Object.fromEntries(kept.map(([name, value]) => [name, portableSchema(value)]));
}

function namesSurrogates(pattern: unknown): boolean {
  return typeof pattern === "string" && /\\u[dD][89a-fA-F]/.test(pattern);
}

function strip(schema: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => strip(each, names));
  if (typeof schema !== "object" || schema === null) return schema;
  const properties = "properties" in schema ? { properties: stripEach(schema.properties, names) } : {};
  const rest = Object.entries(schema).filter(([name]) => !names.has(name) && name !== "properties");
  return { ...Object.fromEntries(rest.map(([name, value]) => [name, strip(value, names)])), ...properties };
}

/** The names of properties are not keywords, whatever they are called. */
function stripEach(properties: unknown, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(properties as object).map(([name, schema]) => [name, strip(schema, names)]));
}

export const Units = Type.Object(
  { charged: Type.Integer(), remaining: Type.Integer() },
  { description: "Request units that this call took, and those left this month." },
);

export const Replayed = {
  replayed: Type.Boolean({ description: "Whether an earlier call with the same key did this." }),
};

/** The parameters of a list, with a number where the query string has text. */
export const pageInput = (limitDefault: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: limitDefault, description: "How many to return." }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "The next_cursor of the page before." }),
  ),
});

type PageInput = { limit?: number; cursor?: string };

export function pageRequest({ limit, cursor }: PageInput, limitDefault: number): PageRequest {
  return { limit: limit ?? limitDefault, cursor };
}

/** Left out on the last page, as nulls are. */
export const NextCursor = Type.Optional(Type.String());
