import type { Schema } from "./examples.ts";

/** Of these properties a request has exactly one, which the service checks in code. */
const alternatives = [
  ["place", "bbox", "circle", "polygon"],
  ["job_id", "job_ids", "collection_id"],
];

/** No engine of Rust compiles halves of surrogate pairs, and generated models have such engines. */
const surrogates = "\\uD800-\\uDFFF";

const latitude = { type: "number", minimum: -90, maximum: 90 };
const longitude = { type: "number", minimum: -180, maximum: 180 };

/** Leaves out of patterns what other engines cannot read; their descriptions say it. */
export function withPortablePatterns<Value>(value: Value): Value {
  return mapSchemas(value, (schema) =>
    typeof schema.pattern === "string" ? { ...schema, pattern: schema.pattern.replaceAll(surrogates, "") } : schema,
  ) as Value;
}

/** Says in the words of a schema what the service checks of a request in code: answers are read more easily without. */
export function refineRequest(schema: Schema): Schema {
  return mapSchemas(schema, (each) => oneOfEach(withTuple(each))) as Schema;
}

/** A copy in which every object is what `change` makes of it, the inner ones first. Examples stay as they are. */
function mapSchemas(value: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSchemas(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) =>
    name === "example" || name === "examples" ? [name, each] : [name, mapSchemas(each, change)],
  );
  return change(Object.fromEntries(entries) as Schema);
}

/** `items` stays for generators that know no tuples. */
function withTuple(schema: Schema): Schema {
  const { bbox } = schema.properties ?? {};
  if (!bbox) return schema;
  const tuple = { ...bbox, prefixItems: [latitude, longitude, latitude, longitude] };
  return { ...schema, properties: { ...schema.properties, bbox: tuple } };
}

/** One shape for each alternative: generators make a union of them. */
function oneOfEach(schema: Schema): Schema {
  const { properties = {}, required = [], type, additionalProperties, ...about } = schema;
  const names = alternatives.find((each) => each.every((name) => name in properties));
  if (!names) return schema;
  const shared = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
  const shapes = names.map((name) => ({
    type: type ?? "object",
    properties: { [name]: properties[name] ?? {}, ...shared },
    required: [name, ...required],
    additionalProperties: additionalProperties ?? false,
  }));
  return { ...about, oneOf: shapes };
}
