import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { postmanCollection } from "../../scripts/postman-collection.ts";
import { startApi } from "./harness.ts";

type Item = {
  name: string;
  request: {
    method: string;
    header: { key: string; value: string; disabled?: boolean }[];
    url: { raw: string; variable: { key: string }[] };
    body?: { raw: string };
  };
};
type Collection = { info: { schema: string }; item: { name: string; item: Item[] }[] };

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");
const collectionIn = async () => JSON.parse(await read("docs/waypost.postman_collection.json")) as Collection;

test("the committed collection is the one the OpenAPI document makes; npm run openapi writes both", async () => {
  assert.equal(await read("docs/waypost.postman_collection.json"), await postmanCollection());
});

test("every operation of the API is in the collection, once", async () => {
  const { paths } = JSON.parse(await read("server/openapi.json")) as { paths: Record<string, object> };
  const known = Object.entries(paths)
    .filter(([path]) => path.startsWith("/api/v1/"))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));

  const { item: folders } = await collectionIn();
  const collected = folders
    .flatMap(({ item }) => item)
    .map(
      ({ request }) => `${request.method} ${request.url.raw.replace("{{baseUrl}}", "").replaceAll(/:(\w+)/g, "{$1}")}`,
    );

  assert.ok(known.length > 10);
  assert.deepEqual(new Set(collected), new Set(known));
  assert.equal(collected.length, known.length);
});

test("requests that name nothing of one's own work as they are imported", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { item: folders } = await collectionIn();
  const ready = folders
    .flatMap(({ item }) => item)
    .filter(({ request }) => request.url.variable.length === 0 && !request.body?.raw.includes("…"))
    .filter(({ request }) => /scrapes|search/.test(request.url.raw));

  assert.ok(ready.length >= 3);
  for (const { name, request } of ready) {
    const headers = request.header
      .filter(({ disabled }) => !disabled)
      .map(({ key: header, value }) => [header, value.replace("{{$guid}}", crypto.randomUUID())]);
    const { status, text } = await api.call(request.url.raw.replace("{{baseUrl}}", ""), {
      method: request.method,
      key,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(request.body ? { body: request.body.raw } : {}),
    });
    assert.equal(status, 200, `${name}: ${text}`);
  }
});
