import { type Need, needs } from "../../domains/api-keys/index.ts";
import { rehearsals } from "../../domains/search/index.ts";
import { schemaVersion } from "../../platform/contract.ts";
import { httpOf } from "../../platform/http/error-body.ts";
import { limitValue } from "../../platform/http/page-query.ts";
import { createExampleMaker, type Schema } from "./examples.ts";
import { errorExampleOf, type Failing } from "./error-examples.ts";
import { linksOf } from "./links.ts";
import { refineRequest, withPortablePatterns } from "./refine.ts";
import { responseHeaders } from "./response-headers.ts";
import { schemaVersionReference } from "./schema-version.ts";
import { traceparentReference } from "./traceparent.ts";

type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> };
type Response = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
  links?: Record<string, object>;
};
type Parameter = { $ref?: string; name?: string; in?: string; schema?: object };
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};
export type Document = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

const successes: Record<string, string> = {
  "200": "Success.",
  "201": "Created.",
  "202": "Accepted; the work goes on.",
  "206": "A part of the file.",
  "304": "The file is the one that If-None-Match names.",
};

/**
 * Completes the generated document with what no single schema knows: examples, headers, what each
 * operation needs and costs, and descriptions that are safe in Markdown.
 */
export function finishDocument(document: Document, named: Readonly<Record<string, unknown>>): Document {
  const exampleOf = createExampleMaker(named);
  const schemas = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (Object.hasOwn(named, name)) schema.examples = [named[name]];
    describeDefaults(schema);
  }
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations)) finishOperation(operation, schemas, exampleOf);
  }
  for (const name of requestsOf(document)) {
    const schema = schemas[name];
    if (schema) schemas[name] = refineRequest(schema);
  }
  return withPortablePatterns(escapeDescriptions(document)) as Document;
}

/** The names of the schemas that bodies of requests have. */
function requestsOf({ paths = {} }: Document): string[] {
  const operations = Object.values(paths).flatMap((each) => Object.values(each));
  return operations.flatMap(({ requestBody }) => nameOf(requestBody?.content["application/json"]?.schema) ?? []);
}

function nameOf(schema: Schema | undefined): string | undefined {
  return schema?.$ref?.split("/").at(-1);
}

function finishOperation(
  operation: Operation,
  schemas: Readonly<Record<string, Schema>>,
  exampleOf: (schema: Schema) => unknown,
) {
  const need = operation.operationId === undefined ? undefined : needFor(operation.operationId);
  operation.description = [
    operation.description ?? `${operation.summary}.`,
    ...(need ? [needSentence(need)] : []),
  ].join(" ");
  const own = (operation.parameters ?? []).map(asValue);
  const links = linksOf(operation.operationId);
  operation.parameters = [...own, schemaVersionReference, traceparentReference];
  const body = operation.requestBody?.content["application/json"];
  if (body?.schema) body.example = exampleOf(body.schema);
  const failing = {
    operationId: operation.operationId,
    need,
    parameters: own,
    body: schemas[nameOf(body?.schema) ?? ""] ?? body?.schema,
  };
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = { ...responseHeaders(status, need), ...response.headers };
    if (response.description === "Default Response") response.description = successes[status] ?? "Success.";
    asJson(response);
    if (links && status.startsWith("2")) response.links = links;
    const media = response.content?.["application/json"];
    if (!media?.schema) continue;
    if (media.schema.$ref === "#/components/schemas/Error") {
      media.examples = errorsOf(response.description, failing);
    } else media.example = exampleOf(media.schema);
  }
}

/** A query arrives as text, and is checked as such; the document types it by what the text stands for. */
function asValue(parameter: Parameter): Parameter {
  const isLimit = parameter.in === "query" && parameter.name === "limit";
  return isLimit ? { ...parameter, schema: limitValue } : parameter;
}

/** An error is JSON, also on a route whose success is a file. */
function asJson(response: Response) {
  const [[type, media] = ["", {}]] = Object.entries(response.content ?? {});
  if (type === "" || media.schema?.$ref !== "#/components/schemas/Error") return;
  response.content = { "application/json": media };
}

function needFor(operationId: string): Need | undefined {
  return (needs as Readonly<Record<string, Need>>)[operationId];
}

function needSentence({ scope, environment, units }: Need): string {
  return [
    `Needs the scope \`${scope}\`${environment === "live" ? " and a live key" : ""};`,
    units === 0 ? "costs nothing." : `costs ${units} request unit, with a test key nothing.`,
  ].join(" ");
}

/** One example for each code that a status stands for. */
function errorsOf(description: string, failing: Failing): NonNullable<Media["examples"]> {
  const codes = Array.from(description.matchAll(/`([a-z_]+)`/g), ([, code = ""]) => code);
  return Object.fromEntries(
    codes.map((code) => {
      const [example, rehearsal] = [errorExampleOf(code, failing), rehearsals[code]];
      if (!example || !rehearsal) throw new Error(`openapi/example-values.ts has no example for the error ${code}`);
      const { message, details = [] } = example;
      const error = { code, message, details, retryable: httpOf({ code, ...rehearsal }).retryable };
      const value = { error, request_id: "req_01k5v7h2f4e8ka9s6c3d0b1x7k", schema_version: schemaVersion };
      return [code, { summary: code, value }];
    }),
  );
}

/** Says a default in words: generators take a property with `default` for one that must be sent. */
function describeDefaults(schema: Schema) {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && !schema.required?.includes(name)) {
      const { default: value, description, ...rest } = property;
      const said = [description, `${JSON.stringify(value)} when absent.`].filter(Boolean).join(" ");
      (schema.properties ?? {})[name] = { ...rest, description: said };
    }
    describeDefaults(property);
  }
}

/** Escapes what Markdown would take for a tag, outside of code. */
function escapeDescriptions(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => escapeDescriptions(item));
  if (typeof value === "object" && value !== null) {
    const isExample = key === "example" || key === "examples" || key === "value";
    if (isExample) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapeDescriptions(each, name)]));
  }
  if (key !== "description" || typeof value !== "string") return value;
  return value
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "\\<")))
    .join("");
}
