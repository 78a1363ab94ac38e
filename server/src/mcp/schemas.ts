import type { TSchema } from "typebox";
import { Type } from "../platform/schema.ts";
import type { PageRequest } from "../platform/pages.ts";

/** What an argument says to agents; its name means the same in every tool. */
const said: Readonly<Record<string, string>> = {
  ll: "Center and zoom, such as @47.14,9.52,14z.",
  hl: "Language, such as de.",
  gl: "Country, such as li.",
  extra: "Also reviews, photos and contacts.",
  fields: "Which fields of a record to return; fewer cost fewer tokens.",
  wait_seconds: "How long to wait for the end.",
  place: 'Town, region or country: "Graz, Austria".',
  bbox: "[south, west, north, east]",
  polygon: "GeoJSON.",
  max_units: "The ceiling.",
  webhook_endpoint_id: "Gets the events; live keys only.",
  cursor: "next_cursor of the page before.",
  idempotency_key: "16 to 128 characters, new for each call; send it again after a timeout.",
};

/** The schema of a tool's arguments. */
export type InputSchema = TSchema & {
  properties: Record<string, TSchema>;
  required?: string[] | undefined;
  minProperties?: number;
};

/**
 * The schema as clients get it. An agent pays for every word in each conversation, so it has what helps to write a call;
 * the service checks the rest and says what to correct. Patterns stay out for another reason too: engines of Rust and
 * Go, which clients in Python have, fail to compile some.
 */
export function shownSchema(
  { properties, required = [], minProperties }: InputSchema,
  toolName: string,
  firstTools: Map<string, string>,
) {
  const shown = Object.entries(properties).map(([name, schema]) => {
    const description = said[name];
    const whole: ShownArgument = shapeOf(schema, [...shape, ...bounds]);
    if (description !== undefined) whole.description = description;
    return [name, shownOnce(whole, toolName, firstTools)] as const;
  });
  return {
    type: "object" as const,
    properties: Object.fromEntries(shown),
    ...(required.length === 0 ? {} : { required }),
    ...(minProperties === undefined ? {} : { minProperties }),
    additionalProperties: false,
  };
}

type ShownArgument = { type?: string; description?: string };

/** Characters of an argument that may stand in several tools of a list. */
const repeatedMax = 300;

/** A long argument is whole in the first tool of the list that takes it; the other tools name that tool. */
function shownOnce(argument: ShownArgument, toolName: string, firstTools: Map<string, string>): ShownArgument {
  const text = JSON.stringify(argument);
  if (text.length <= repeatedMax) return argument;
  const first = firstTools.get(text);
  if (first === undefined) firstTools.set(text, toolName);
  return first === undefined
    ? argument
    : { ...(argument.type && { type: argument.type }), description: `As in ${first}.` };
}

const bounds = ["minimum", "maximum"];
const shape = ["type", "enum", "items", "properties", "required"];

function shapeOf(schema: TSchema, kept: readonly string[] = shape): object {
  const entries = Object.entries(schema).filter(([keyword]) => kept.includes(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, shapeWithin(keyword, value)]));
}

function shapeWithin(keyword: string, value: unknown): unknown {
  if (keyword === "items") return shapeOf(value as TSchema);
  if (keyword !== "properties") return value;
  const properties = Object.entries(value as Record<string, TSchema>);
  return Object.fromEntries(properties.map(([name, schema]) => [name, shapeOf(schema)]));
}

/** The parameters of a list, with a number where the query string has text. */
export const pageInput = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
};

/** Fewer than over REST: an agent pays for every item. */
export const pageDefault = 10;

type PageInput = { limit?: number; cursor?: string };

export function pageRequest({ limit, cursor }: PageInput): PageRequest {
  return { limit: limit ?? pageDefault, cursor };
}
