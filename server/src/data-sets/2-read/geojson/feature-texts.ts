import { storableText } from "../../../platform/text.ts";
import type { JsonObject } from "./json-objects.ts";

/** Objects that programs put properties into; what they hold is meant as if it stood beside them. */
const containers = ["tags", "properties", "attributes", "address", "addr", "contact", "contacts"];

/** The properties of a feature as the tags that they are, or would be in OpenStreetMap. */
export function textsOf(properties: JsonObject): Record<string, string> {
  const inner = containers.flatMap((name) =>
    Object.entries(objectOf(properties[name])).flatMap(([key, value]): [string, unknown][] => [
      [key, value],
      [`${name}:${key}`, value],
    ]),
  );
  // What stands later counts, and a feature's own properties count most.
  return Object.fromEntries(
    [...packedTags(properties["other_tags"]), ...inner, ...Object.entries(properties)].flatMap(([key, value]) => {
      const text = key === "name" ? textOf(listOf(value)[0] ?? value) : textOfAny(value);
      return text === undefined ? [] : [[storableText(key), text]];
    }),
  );
}

/** Tags without a column of their own, as GDAL writes them: `"amenity"=>"cafe","phone"=>"…"`. */
function packedTags(text: unknown): [string, string][] {
  if (typeof text !== "string") return [];
  const pairs = text.matchAll(/"((?:[^"\\]|\\.)*)"=>"((?:[^"\\]|\\.)*)"/g);
  return Array.from(pairs, ([, key = "", value = ""]) => [unescaped(key), unescaped(value)]);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}

/** Lists and truths as tags have them. */
function textOfAny(value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!Array.isArray(value)) return textOf(value);
  return textOf(value.flatMap((each) => textOf(each) ?? []).join(";"));
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return storableText(value);
  return typeof value === "number" ? String(value) : undefined;
}

export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
