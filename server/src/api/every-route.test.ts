import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Ajv, type AnySchema } from "ajv";
import { startApi } from "../../test/harness.ts";
import { type Need, needs, newKeyText } from "../domains/api-keys/index.ts";
import type { Route } from "./route-table.ts";
import { basePath } from "../platform/contract.ts";

// Whoever adds a public route says so here too.
const publicRoutes = [
  "GET /",
  "GET /api/v1/downloads/:exportId",
  "GET /api/v1/openapi.json",
  "GET /docs",
  "GET /docs/",
  "GET /docs/js/scalar.js",
  "GET /healthz",
  "GET /metrics",
  "GET /readyz",
];

test("the routes without a key are these and no others", async (t) => {
  const api = await startApi(t);

  const found = api.routes
    .filter(({ method, config }) => method !== "HEAD" && config?.public)
    .map(({ method, url }) => `${method} ${url}`);

  assert.deepEqual(found.sort(), publicRoutes);
});

test("every other route lies under the base path and has its need in the table", async (t) => {
  const api = await startApi(t);
  const guarded = api.routes.filter(({ config }) => !config?.public);

  assert.ok(guarded.length > 0);
  for (const { method, url, config } of guarded) {
    assert.ok(url.startsWith(`${basePath}/`), url);
    assert.ok(config?.need, `${method} ${url} has no need`);
  }
});

test("every operation in the reference needs what the table says, and so do the conventions", async (t) => {
  const api = await startApi(t);
  const { body: document } = await api.call("/api/v1/openapi.json");
  const publicOperations = new Set(
    api.routes.flatMap(({ config, schema }) => (config?.public ? [String(schema?.operationId)] : [])),
  );
  const operations = Object.entries<Record<string, Record<string, unknown>>>(document["paths"])
    .filter(([path]) => path.startsWith(basePath))
    .flatMap(([, methods]) => Object.values(methods))
    .filter(({ operationId }) => !publicOperations.has(String(operationId)));

  const shown = operations.map((operation) =>
    ["operationId", "x-required-scope", "x-key-environment", "x-request-units", "x-idempotency"]
      .map((name) => String(operation[name]))
      .join(" | "),
  );

  const known = Object.entries<Need>(needs).map(([id, { scope, environment, units, idempotency }]) =>
    [id, scope, environment, units, idempotency].join(" | "),
  );
  assert.deepEqual(shown.toSorted(), known.toSorted());
  const conventions = await readFile(new URL("../../../docs/reference/api.md", import.meta.url), "utf8");
  for (const row of known) assert.ok(conventions.includes(`| \`${row.replace(" | ", "` | ")} |`), row);
});

// A validator is compiled by the first request that needs it, which would be too late to find a schema that cannot be.
test("every schema of every route, of the other edges too, is valid and compiles", async (t) => {
  const { app, allRoutes } = await startApi(t);
  const parts = ["params", "querystring", "headers", "body"] as const;
  const meta = new Ajv();
  const check = (schema: AnySchema, where: string) =>
    assert.ok(meta.validateSchema(schema), `${where}: ${meta.errorsText()}`);
  for (const [id, schema] of Object.entries(app.getSchemas())) check(schema as AnySchema, id);
  let compiled = 0;
  for (const { method, url, schema } of allRoutes) {
    for (const httpPart of parts) {
      const part = schema?.[httpPart];
      if (part === undefined) continue;
      check(part as AnySchema, `${method} ${url} ${httpPart}`);
      const validate = app.validatorCompiler?.({ schema: part, method, url, httpPart });
      assert.doesNotThrow(() => validate?.(null), `${method} ${url} ${httpPart}`);
      compiled += 1;
    }
  }
  assert.ok(compiled > allRoutes.length, `${compiled} schemas of ${allRoutes.length} routes`);
});

// Idempotency and price are behavior: the table says the same as the routes do.
test("every operation takes, requires or ignores an Idempotency-Key as the table says", async (t) => {
  const api = await startApi(t);

  for (const { method, url, config, hasKeyHeader } of api.routes.map((route) => ({
    ...route,
    hasKeyHeader: keyHeaderOf(route.schema),
  }))) {
    if (!config?.need || method === "HEAD") continue;
    assert.equal(hasKeyHeader, config.need.idempotency, `${method} ${url}`);
  }
});

function keyHeaderOf(schema: Route["schema"]): Need["idempotency"] {
  const headers = schema?.headers as { properties?: object; required?: string[] } | undefined;
  if (!headers?.properties || !("Idempotency-Key" in headers.properties)) return "none";
  return headers.required?.includes("Idempotency-Key") ? "required" : "optional";
}

test("every guarded route refuses a missing, wrong, revoked, expired, scopeless or misplaced key", async (t) => {
  const api = await startApi(t);
  const good = await api.givenKey();
  const revoked = await api.givenKey();
  await api.apiKeys.revoke(revoked.organizationId, revoked.key.id, "leaked in a repository");
  const expired = await api.givenKey({ expiresAt: new Date(api.clock.now().getTime() + 1) });
  api.clock.advance(1);
  const elsewhere = await api.givenKey({ allowedNetworks: ["192.0.2.0/24"] });
  const wrong = newKeyText("test").text;
  const typo = `${good.text.slice(0, -1)}${good.text.endsWith("0") ? "1" : "0"}`;

  for (const { method, url, config } of api.routes.filter((route) => !route.config?.public)) {
    const path = url.replaceAll(/:([A-Za-z]+)/g, "anything");
    const codeWith = async (key: string | undefined) => {
      const answer = await api.call(path, { method, ...(key === undefined ? {} : { key }) });
      return method === "HEAD" ? answer.status : answer.body["error"]?.code;
    };
    const without = await api.givenKey({
      scopes: (["scrapes:read", "scrapes:write"] as const).filter((scope) => scope !== config?.need?.scope),
    });
    const [unauthenticated, network, scope] =
      method === "HEAD" ? [401, 403, 403] : ["unauthenticated", "network_not_allowed", "insufficient_scope"];

    for (const key of [undefined, "nonsense", wrong, typo, revoked.text, expired.text]) {
      assert.equal(await codeWith(key), unauthenticated, `${method} ${url} with ${key}`);
    }
    assert.equal(await codeWith(elsewhere.text), network, `${method} ${url}`);
    assert.equal(await codeWith(without.text), scope, `${method} ${url}`);
  }
});

// 404 and not 403: a 403 would confirm to one organization that another's id exists.
test("every route that names a thing answers a stranger as if the thing did not exist", async (t) => {
  const api = await startApi(t);
  const stranger = await api.givenKey({ environment: "live" });

  for (const { method, url } of api.routes.filter(
    (route) => !route.config?.public && route.url.includes(":") && route.method !== "HEAD",
  )) {
    const path = url.replaceAll(/:([A-Za-z]+)/g, "00000000000000000000000000");
    const { status } = await api.call(path, { method, key: stranger.text });
    assert.ok(status === 404 || status === 400, `${method} ${url}: ${status}`);
  }
});

test("the reference runs no script but its own: each inline one carries the nonce of the policy", async (t) => {
  const api = await startApi(t);

  const { headers, text } = await api.call("/docs/");

  const [, scripts = ""] = /script-src ([^;]*)/.exec(headers.get("content-security-policy") ?? "") ?? [];
  const [, nonce = ""] = /^'self' 'nonce-([^']{20,})'$/.exec(scripts) ?? [];
  const tags = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  const inline = tags.filter((tag) => !tag.includes("src="));
  assert.ok(inline.length > 0, text.slice(0, 500));
  for (const tag of inline) assert.ok(nonce !== "" && tag.includes(`nonce="${nonce}"`), tag);
});

test("each answer of the reference has a nonce of its own, and nothing on the pages may be changed by markup", async (t) => {
  const api = await startApi(t);

  const [one, two] = [await api.call("/docs/"), await api.call("/docs/")];
  const policies = [one, two, await api.call("/")].map(({ headers }) => headers.get("content-security-policy") ?? "");

  const nonces = [one, two].map(({ text }) => [...text.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce));
  assert.equal(new Set(nonces[0]).size, 1);
  assert.notEqual(nonces[0]?.[0], nonces[1]?.[0]);
  for (const policy of policies) {
    assert.doesNotMatch(policy, /unsafe/);
    for (const directive of ["base-uri", "form-action", "frame-ancestors"]) {
      assert.ok(policy.includes(`${directive} 'none'`), `${directive}: ${policy}`);
    }
  }
});

test("every answer carries the security headers and a request id", async (t) => {
  const api = await startApi(t);

  for (const path of ["/", "/docs/", "/healthz", "/api/v1/search", "/api/v1/openapi.json", "/nothing"]) {
    const { headers } = await api.call(path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/, path);
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
    assert.match(headers.get("x-request-id") ?? "", /^req_/, path);
  }
});
