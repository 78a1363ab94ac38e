import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { Pool } from "undici";
import { startApi } from "../../test/harness.ts";

/** Each run makes others, so that what one leaves out comes in another. */
const requestsTotal = Number(process.env["WAYPOST_FUZZ_REQUESTS"] ?? 5_000);

type Schema = { [keyword: string]: any };
type Operation = {
  method: string;
  path: string;
  parameters: Schema[];
  body: Schema | undefined;
  responses: Record<string, Schema>;
};
type Fuzzed = { operation: Operation; path: string; headers: Record<string, string>; body: string | undefined };

/** Values that fit a schema, as the document publishes it. */
function fitting(schema: Schema, document: Schema): fc.Arbitrary<unknown> {
  if (schema["$ref"]) return fitting(resolve(schema["$ref"], document), document);
  if (schema["enum"]) return fc.constantFrom(...schema["enum"]);
  if (schema["anyOf"]) return fc.oneof(...schema["anyOf"].map((each: Schema) => fitting(each, document)));
  switch (schema["type"]) {
    case "object": {
      const properties = Object.entries<Schema>(schema["properties"] ?? {}).map(([name, each]) => [
        name,
        fitting(each, document),
      ]);
      return fc.record(Object.fromEntries(properties), { requiredKeys: schema["required"] ?? [] });
    }
    case "array":
      return fc.array(fitting(schema["items"] ?? {}, document), {
        minLength: schema["minItems"] ?? 0,
        maxLength: Math.min(schema["maxItems"] ?? 5, 8),
      });
    case "integer":
      return fc.integer({ min: schema["minimum"] ?? -1_000, max: schema["maximum"] ?? 1_000 });
    case "number":
      return fc.double({ min: schema["minimum"] ?? -1_000, max: schema["maximum"] ?? 1_000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "string": {
      const bounds = { minLength: schema["minLength"] ?? 0, maxLength: schema["maxLength"] ?? 64 };
      const free = fc.string({ unit: "grapheme", ...bounds });
      if (!schema["pattern"]) return free;
      const matching = fc
        .stringMatching(new RegExp(schema["pattern"], "u"))
        .filter((text) => text.length >= bounds.minLength && text.length <= bounds.maxLength);
      return fc.oneof({ weight: 9, arbitrary: matching }, { weight: 1, arbitrary: free });
    }
    default:
      return fc.jsonValue();
  }
}

function resolve(reference: string, document: Schema): Schema {
  return reference
    .slice(2)
    .split("/")
    .reduce((part: Schema, name) => part[name], document);
}

const awkward = fc.constantFrom<unknown>(
  null,
  "",
  0,
  -1,
  1e308,
  "x".repeat(300),
  "\u0000",
  "\ud800",
  "😀",
  [],
  {},
  [[]],
  true,
  "2",
  -0,
  "__proto__",
);

/** A body that fits, one with a part replaced or added, or no such thing at all. */
function bodies(schema: Schema, document: Schema): fc.Arbitrary<string> {
  const fit = fitting(schema, document);
  const spoiled = fc
    .tuple(
      fit,
      fc.oneof(fc.constantFrom("q", "page", "ll", "hl", "gl", "extra", "operation", "input", "url"), fc.string()),
      fc.oneof(awkward, fc.jsonValue()),
    )
    .map(([value, name, part]) => (typeof value === "object" && value !== null ? { ...value, [name]: part } : part));
  const text = fc
    .oneof({ weight: 4, arbitrary: fit }, { weight: 4, arbitrary: spoiled }, { weight: 1, arbitrary: fc.jsonValue() })
    .map((value) => JSON.stringify(value) ?? "");
  const cut = fc.tuple(text, fc.nat(40)).map(([whole, length]) => whole.slice(0, length));
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
}

function operationsOf(document: Schema): Operation[] {
  return Object.entries<Schema>(document["paths"]).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation["parameters"] ?? [],
      body: operation["requestBody"]?.content["application/json"]?.schema,
      responses: operation["responses"],
    })),
  );
}

function requests(operation: Operation, document: Schema): fc.Arbitrary<Fuzzed> {
  const headerValue = fc.oneof(
    fc.constantFrom("x".repeat(15), "x".repeat(16), "x".repeat(128), "x".repeat(129)),
    fc.string({ unit: "grapheme-ascii", maxLength: 140 }),
  );
  const named = (place: string) =>
    operation.parameters.filter((parameter) => parameter["in"] === place).map((parameter) => String(parameter["name"]));
  const names = [...named("header"), "Prefer", "Accept"];
  const someHeaders = fc.record(Object.fromEntries(names.map((name) => [name, headerValue])), { requiredKeys: [] });
  const headers = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: someHeaders });
  const query = fc.oneof(
    { weight: 6, arbitrary: fc.constant("") },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(fc.constantFrom("x", ...named("query")), fc.string()), fc.string())
        .map(
          ([name, value]) => `?${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
        ),
    },
  );
  const segment = fc.oneof(
    fc.stringMatching(/^(job|whe|dlv|exp|key)_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    fc.string({ maxLength: 120 }).map((text) => encodeURIComponent(text.toWellFormed()) || "-"),
  );
  const path = fc
    .array(segment, { minLength: 3, maxLength: 3 })
    .map((segments) => operation.path.replaceAll(/\{[^}]+\}/g, () => segments.pop() ?? "-"));
  const type = fc.oneof(
    { weight: 9, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-8", "x") },
  );
  const body = operation.body
    ? fc.option(bodies(operation.body, document), { nil: undefined, freq: 20 })
    : fc.constant(undefined);
  return fc.tuple(path, query, headers, type, body).map(([where, asked, sent, contentType, content]) => ({
    operation,
    path: where + asked,
    headers: { ...sent, ...(content === undefined ? {} : { "Content-Type": contentType }) },
    body: content,
  }));
}

test(`${requestsTotal} requests made from the document get no 5xx, and nothing the document does not promise`, async (t) => {
  const api = await startApi(t, { rateLimitPerSecond: 1_000_000 });
  const keys = [
    (await api.givenKey()).text,
    (await api.givenKey({ environment: "live" })).text,
    (await api.givenKey({ scopes: ["exports:read"] })).text,
  ];
  const { body: document } = await api.call("/api/v1/openapi.json");
  const operations = operationsOf(document).filter(
    ({ path, responses }) => path.startsWith("/api/v1/") && !JSON.stringify(responses).includes("text/event-stream"),
  );
  assert.ok(operations.length > 0);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", components: document["components"] });
  const compiled = new Map<Schema, (value: unknown) => boolean>();
  const validatorOf = (schema: Schema) => {
    const known =
      compiled.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    compiled.set(schema, known);
    return known;
  };
  const pool = new Pool(api.address, { connections: 16, headersTimeout: 20_000, bodyTimeout: 20_000 });
  t.after(() => pool.close());
  const statuses = new Map<number, number>();

  async function check({ operation, path, headers, body }: Fuzzed, key: string) {
    const answer = await pool.request({
      method: operation.method,
      path,
      headers: { ...headers, "API-KEY": key },
      body: body ?? null,
    });
    const text = await answer.body.text();
    const shown = `${operation.method} ${path} ${body?.slice(0, 300)} → ${answer.statusCode} ${text.slice(0, 300)}`;
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
    assert.ok(answer.statusCode < 500, shown);
    const promised = operation.responses[String(answer.statusCode)];
    // A path segment that the router does not take as one leads to another route, or to none.
    if (!promised) return assert.ok([404, 405].includes(answer.statusCode) && operation.path.includes("{"), shown);
    assert.ok(validatorOf(promised["content"]["application/json"].schema)(JSON.parse(text)), shown);
  }

  const each = Math.ceil(requestsTotal / operations.length);
  for (const operation of operations) {
    const batch = fc.tuple(
      fc.constantFrom(...keys),
      fc.array(requests(operation, document), { minLength: 50, maxLength: 50, size: "max" }),
    );
    const property = fc.asyncProperty(batch, async ([key, some]) => {
      await Promise.all(some.map((request) => check(request, key)));
    });
    await fc.assert(property, { numRuns: Math.ceil(each / 50), endOnFailure: true });
  }

  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(sent >= requestsTotal, `${sent} requests`);
  t.diagnostic(
    `statuses: ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status} × ${count}`)
      .join(", ")}`,
  );
  for (const status of [200, 400, 403, 415]) assert.ok(statuses.has(status), `no request reached a ${status}`);
});
