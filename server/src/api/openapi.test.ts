import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { startApi } from "../../test/harness.ts";
import { openApiText } from "./openapi-text.ts";

const committed = new URL("../../openapi.json", import.meta.url);

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
