import { readFile } from "node:fs/promises";

type Schema = {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  default?: unknown;
  examples?: readonly unknown[];
  description?: string;
  pattern?: string;
};
type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
};
type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The collection (format 2.1, which Postman, Bruno, Insomnia and Hoppscotch import) as it is committed. */
export async function postmanCollection(): Promise<string> {
  const text = await readFile(new URL("../server/openapi.json", import.meta.url), "utf8");
  const document = JSON.parse(text) as Document;
  const folders = new Map<string, object[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith("/api/v1/")) continue;
    for (const [method, operation] of Object.entries(methods)) {
      const folder = operation.tags?.[0] ?? "Other";
      folders.set(folder, [...(folders.get(folder) ?? []), item(document, path, method, operation)]);
    }
  }
  const collection = {
    info: {
      name: document.info.title,
      description: `${document.info.description}\n\nSet the variables baseUrl and apiKey. Generated from the OpenAPI document.`,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: "API-KEY", type: "string" },
        { key: "value", value: "{{apiKey}}", type: "string" },
        { key: "in", value: "header", type: "string" },
      ],
    },
    variable: [
      { key: "baseUrl", value: "http://127.0.0.1:8080" },
      { key: "apiKey", value: "" },
    ],
    item: Array.from(folders, ([name, items]) => ({ name, item: items })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function item(document: Document, path: string, method: string, operation: Operation): object {
  const { parameters = [], requestBody, operationId, summary, description } = operation;
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const query = parameters.filter((each) => each.in === "query").map((each) => ({ ...named(each), disabled: true }));
  const body = requestBody?.content["application/json"];
  return {
    name: summary ?? operationId,
    request: {
      method: method.toUpperCase(),
      description: description ?? summary,
      header: [
        ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
        ...parameters.filter((each) => each.in === "header").map(header),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join("/")}`,
        host: ["{{baseUrl}}"],
        path: segments,
        ...(query.length > 0 ? { query } : {}),
        variable: parameters.filter((each) => each.in === "path").map(named),
      },
      ...(body ? { body: jsonBody(sample(document, body.schema)) } : {}),
    },
    response: [],
  };
}

function jsonBody(value: unknown): object {
  return { mode: "raw", raw: JSON.stringify(value, null, 2), options: { raw: { language: "json" } } };
}

function named({ name, description, schema }: Parameter): object {
  const [example] = schema.examples ?? [];
  const value = typeof example === "string" ? example : "";
  return { key: name, value, description: description ?? schema.description };
}

/** Postman makes a fresh value for each request. */
function header(parameter: Parameter): object {
  if (parameter.name.toLowerCase() === "idempotency-key") return { ...named(parameter), value: "{{$guid}}" };
  return { ...named(parameter), disabled: true };
}

/** A body that may be sent as it is where nothing in it names a thing of yours: what must be there, and little more. */
function sample(document: Document, schema: Schema): unknown {
  if (schema.$ref) return sample(document, document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sample(document, schema.anyOf[0]);
  if (schema.type === "array") return [sample(document, schema.items ?? {})];
  if (schema.type === "object") return sampleObject(document, schema);
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type === "boolean") return false;
  return schema.pattern?.match(/^\^([a-z]{3})_/)?.[1]?.concat("_…") ?? "…";
}

function sampleObject(document: Document, { properties = {}, required = [] }: Schema): Record<string, unknown> {
  // Where nothing is required, the first property shows what a body looks like.
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, sample(document, properties[name] ?? {})]));
}
