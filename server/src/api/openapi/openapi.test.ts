import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { startApi } from "../../../test/harness.ts";
import { rehearsals } from "../../domains/search/index.ts";
import { securityHeaders } from "../common-headers.ts";
import { openApiText } from "./document-text.ts";

const committed = new URL("../../../openapi.json", import.meta.url);

test("the committed document is the one the routes make; npm run openapi writes it", async () => {
  assert.equal(await readFile(committed, "utf8"), await openApiText());
});

test("the service serves the committed document", async (t) => {
  const api = await startApi(t);

  const { body } = await api.call("/api/v1/openapi.json");

  assert.deepEqual(body, JSON.parse(await readFile(committed, "utf8")));
  assert.equal(body["openapi"], "3.1.0");
  assert.equal(body["info"].version, "2.0.0");
});

test("every guarded route is in the document, with what it may be refused for", async (t) => {
  const api = await startApi(t);
  const { body: document } = await api.call("/api/v1/openapi.json");

  for (const { method, url } of api.routes.filter((route) => !route.config?.public && route.method !== "HEAD")) {
    const operation = document["paths"][url.replaceAll(/:([A-Za-z]+)/g, "{$1}")]?.[method.toLowerCase()];
    assert.ok(operation?.operationId, `${method} ${url}`);
    for (const status of ["400", "401", "403", "429", "500"]) {
      assert.equal(
        operation.responses[status]?.content["application/json"].schema.$ref,
        "#/components/schemas/Error",
        `${method} ${url} ${status}`,
      );
    }
  }
});

// A client made from a text for a limit takes no number, which is what the interface says it is.
test("a limit is documented as the number that it is", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { paths } = JSON.parse(await openApiText());

  for (const list of ["/api/v1/scrapes", "/api/v1/collections", "/api/v1/exports"]) {
    const { schema } = paths[list].get.parameters.find(({ name }: { name: string }) => name === "limit");
    assert.equal(schema.type, "integer");
    for (const limit of [schema.minimum, schema.maximum]) {
      assert.equal((await api.call(`${list}?limit=${limit}`, { key })).status, 200);
    }
    for (const limit of [schema.minimum - 1, schema.maximum + 1]) {
      assert.equal((await api.call(`${list}?limit=${limit}`, { key })).status, 400);
    }
  }
});

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };

test("every body has an example, and every example keeps to its schema", async () => {
  const document = JSON.parse(await openApiText());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: document.components });
  const bodies: [string, Media][] = [];
  for (const [path, operations] of Object.entries<Record<string, any>>(document.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(operations)) {
      for (const [place, { content = {} }] of [
        ["body", requestBody ?? {}],
        ...Object.entries<any>(responses),
      ] as const) {
        const media = content["application/json"];
        if (media) bodies.push([`${method} ${path} ${place}`, media]);
      }
    }
  }
  assert.ok(bodies.length > 150, `${bodies.length} bodies`);

  for (const [place, { schema, example, examples }] of bodies) {
    const isValid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
    const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
    assert.ok(values.length > 0 && values.every((value) => value !== undefined), `${place} has no example`);
    for (const value of values) assert.ok(isValid(value), `${place}: ${ajv.errorsText(isValid.errors)}`);
  }
});

test("the document leaves nothing to a generator's guess", async () => {
  const text = await openApiText();
  const document = JSON.parse(text);
  const tagsKnown = new Set(document.tags.map(({ name }: { name: string }) => name));

  assert.ok(!text.includes("Default Response"));
  for (const operations of Object.values<Record<string, any>>(document.paths)) {
    for (const { operationId, description, responses, tags } of Object.values(operations)) {
      assert.ok(description, operationId);
      assert.ok(
        tags.every((tag: string) => tagsKnown.has(tag)),
        `${operationId} has a tag that the document does not describe`,
      );
      assert.ok(
        Object.keys(responses).some((status) => status.startsWith("2")),
        operationId,
      );
      for (const { description: codes } of Object.values<any>(responses)) {
        const named = codes.match(/`[a-z_]+`/g) ?? [];
        assert.equal(new Set(named).size, named.length, `${operationId}: ${codes}`);
      }
    }
  }
  // openapi-typescript makes a property with a default required; Markdown takes < for a tag.
  assert.equal(JSON.stringify(document.components.schemas.SearchRequest.properties).includes('"default"'), false);
  assert.doesNotMatch(text.replaceAll(/`[^`]*`/g, ""), /"description": "[^"]*[^\\]</);
});

test("every operation takes a schema version, which may be the only one there is", async () => {
  const { components, paths } = JSON.parse(await openApiText());

  const { name, required, schema } = components.parameters.SchemaVersion;
  assert.deepEqual([name, required, schema.enum], ["SVC-Schema-Version", false, ["2026-09-22"]]);
  const operations = Object.values<Record<string, any>>(paths).flatMap((each) => Object.values(each));
  for (const { operationId, parameters } of operations) {
    const references = parameters.map((each: { $ref?: string }) => each.$ref);
    assert.ok(references.includes("#/components/parameters/SchemaVersion"), operationId);
  }
});

test("every operation takes a traceparent, which the document describes once", async () => {
  const { paths, components } = JSON.parse(await openApiText());

  assert.equal(components.parameters.Traceparent.name, "traceparent");
  assert.equal(components.parameters.Traceparent.required, false);
  const operations = Object.values<Record<string, any>>(paths).flatMap((each) => Object.values(each));
  assert.ok(operations.length > 20);
  for (const { operationId, parameters } of operations) {
    const references = parameters.filter(
      (each: { $ref?: string }) => each.$ref === "#/components/parameters/Traceparent",
    );
    assert.equal(references.length, 1, operationId);
  }
});

test("answers have a documented status and documented headers", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { body: document } = await api.call("/api/v1/openapi.json");
  const create = { operation: "places.search", input: { q: "coffee" } };
  const idempotent = { "Idempotency-Key": "documented-headers-1" };
  const calls: [string, string, Parameters<typeof api.call>[1]][] = [
    ["post", "/api/v1/search", { json: { q: "coffee" }, key }],
    ["post", "/api/v1/search", { json: { q: "x" }, key }],
    ["post", "/api/v1/search", { json: { q: "coffee" } }],
    ["post", "/api/v1/search", { body: "{}", headers: { "Content-Type": "text/plain" }, key }],
    ["post", "/api/v1/scrapes", { json: create, headers: { ...idempotent, Prefer: "wait=1" }, key }],
    ["post", "/api/v1/scrapes", { json: create, headers: idempotent, key }],
    ["post", "/api/v1/scrapes", { json: { ...create, input: { q: "other" } }, headers: idempotent, key }],
    ["get", "/api/v1/scrapes", { key }],
    ["get", "/api/v1/exports", { key }],
    ["get", "/api/v1/webhook-endpoints", { key }],
    ["get", "/metrics", {}],
    ["get", "/readyz", {}],
    ...Object.keys(rehearsals).flatMap((code): typeof calls =>
      ["allowance_exhausted", "rate_limited", "source_failed", "source_unavailable", "source_timeout"].includes(code)
        ? [["post", "/api/v1/search", { json: { q: `test:error:${code}` }, key }]]
        : [],
    ),
  ];
  const unsaid = new Set(
    [...Object.keys(securityHeaders), "Connection", "Content-Length", "Content-Type", "Date", "Keep-Alive"].map(
      (name) => name.toLowerCase(),
    ),
  );

  for (const [method, path, call] of calls) {
    const { status, headers } = await api.call(path, call);
    const response = document["paths"][path][method].responses[String(status)];
    assert.ok(response, `${method} ${path} answered ${status}`);
    const said = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
    const extra = [...headers.keys()].filter((name) => !said.has(name) && !unsaid.has(name));
    assert.deepEqual(extra, [], `${method} ${path} ${status}`);
  }
});

test("the patterns of the document compile in engines that know no halves of surrogate pairs", async () => {
  const text = await openApiText();

  const patterns = [...text.matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)].map(([, quoted = ""]) => JSON.parse(quoted));

  assert.ok(patterns.length > 20);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\u[dD][89a-fA-F]/, pattern);
    assert.doesNotMatch(pattern, /\(\?[=!<]/, `${pattern} looks around, which engines of Rust do not`);
  }
});

test("a request has exactly one of its alternatives, and the document says so", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const document = JSON.parse(await openApiText());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: document.components });
  const isValid = (name: string, body: object) => ajv.compile({ $ref: `document#/components/schemas/${name}` })(body);
  const place = { place: "Vaduz" };
  const circle = { circle: { latitude: 47, longitude: 9, radius_m: 1_000 } };
  const bbox = (south: number) => ({ bbox: [south, 9, 47.2, 9.2] });
  const estimates: [area: object, isGood: boolean][] = [
    [place, true],
    [circle, true],
    [bbox(47), true],
    [bbox(-90), true],
    [bbox(-90.1), false],
    [{}, false],
    [{ ...place, ...circle }, false],
  ];
  const job = { job_id: "job_01k5v7h2f4e8ka9s6c3d0b1x7m" };
  const exports: [body: object, isGood: boolean][] = [
    [{ ...job, format: "csv" }, true],
    [{ job_ids: [job.job_id], format: "csv" }, true],
    [{ format: "csv" }, false],
    [{ ...job, job_ids: [job.job_id], format: "csv" }, false],
  ];

  for (const [area, isGood] of estimates) {
    const body = { q: "dentists", area };
    assert.equal(isValid("EstimateCollection", body), isGood, JSON.stringify(area));
    const { status } = await api.call("/api/v1/collections/estimate", { key, json: body });
    assert.equal(status === 200, isGood, JSON.stringify(area));
  }
  for (const [body, isGood] of exports) {
    assert.equal(isValid("CreateExport", body), isGood, JSON.stringify(body));
    const headers = { "Idempotency-Key": "exactly-one-of-them" };
    const { status } = await api.call("/api/v1/exports", { key, json: body, headers });
    assert.equal(status, isGood ? 404 : 400, JSON.stringify(body));
  }
});

test("the example of an error is one that its operation can have", async () => {
  const { paths } = JSON.parse(await openApiText());
  for (const [path, operations] of Object.entries<Record<string, any>>(paths)) {
    for (const operation of Object.values(operations)) {
      const exampleOf = (status: string, code: string) =>
        operation.responses[status]?.content["application/json"].examples?.[code]?.value.error;
      const scope = operation["x-required-scope"];
      const refused = exampleOf("403", "insufficient_scope");
      if (refused) assert.deepEqual(refused.details, [`scope: ${scope} is required`], operation.operationId);
      const invalid = exampleOf("400", "invalid_request");
      const isOfBody = invalid?.details[0].startsWith("/");
      if (invalid) assert.equal(isOfBody, operation.requestBody !== undefined, operation.operationId);
      const [noun = ""] = /\b(job|exp|col|whe|dlv)_/.exec(exampleOf("404", "not_found")?.message ?? "") ?? [];
      const expected = /\{(\w+)Id\}/.exec(path)?.[1];
      const prefixes: Record<string, string> = { job: "job_", export: "exp_", collection: "col_", endpoint: "whe_" };
      const wanted = path.includes("/downloads/") ? "" : (prefixes[expected ?? ""] ?? (expected ? "dlv_" : ""));
      if (exampleOf("404", "not_found")) assert.equal(noun, wanted, operation.operationId);
    }
  }
});

test("what makes a thing links to what reads and changes it", async () => {
  const { paths } = JSON.parse(await openApiText());
  const operations = Object.values<Record<string, any>>(paths).flatMap((each) => Object.values(each));
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

  for (const maker of ["createScrape", "createCollection", "createExport", "createWebhookEndpoint"]) {
    const successes = Object.entries<any>(byId.get(maker).responses).filter(([status]) => status.startsWith("2"));
    for (const [status, { links }] of successes) {
      assert.ok(Object.keys(links ?? {}).length > 0, `${maker} ${status}`);
      for (const { operationId, parameters } of Object.values<any>(links)) {
        const { name } = byId.get(operationId).parameters.find((each: { in?: string }) => each.in === "path");
        assert.deepEqual(parameters, { [name]: "$response.body#/data/id" }, operationId);
      }
    }
  }
});

// The header is read as far as it is valid, whatever its length.
test("no length is documented for a traceparent, because none is checked", async () => {
  const { components } = JSON.parse(await openApiText());

  assert.deepEqual(components.parameters.Traceparent.schema, { type: "string" });
});
