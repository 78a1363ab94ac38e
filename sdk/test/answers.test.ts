import assert from "node:assert/strict";
import { test } from "node:test";
import { type Waypost, WaypostError } from "@waypost/sdk";
import { setUp } from "./scripted-client.ts";
import { type Answer, answer } from "./scripted-server.ts";

const body =
  (text: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(text);

const calls: Record<string, (waypost: Waypost) => Promise<unknown>> = {
  search: (waypost) => waypost.search({ q: "coffee" }),
  create: (waypost) => waypost.scrapes.create({ input: { q: "coffee" } }),
  wait: (waypost) => waypost.scrapes.wait("job_1", { waitMs: 5_000 }),
  list: (waypost) => readAll(waypost.scrapes.list()),
  results: (waypost) => readAll(waypost.scrapes.results("job_1")),
  coverage: (waypost) => readAll(waypost.collections.coverage("col_1")),
  collection: (waypost) => waypost.collections.pause("col_1"),
  download: (waypost) => waypost.exports.download("exp_1"),
  endpoint: (waypost) => waypost.webhooks.get("whe_1"),
  removal: (waypost) => waypost.webhooks.remove("whe_1"),
};

test("an answer that is not Waypost's is never taken for one, whatever the call", async (t) => {
  for (const text of ["{}", "null", "[]", '"ok"', '{"data":null}', '{"data":{}}', '{"data":[]}', '{"status":"ok"}']) {
    const { waypost, seen } = await setUp(t, {}, body(text));
    for (const [name, call] of Object.entries(calls)) {
      const before = seen.length;
      await assert.rejects(call(waypost), { name: "WaypostError", code: "unexpected_answer" }, `${name} of ${text}`);
      assert.equal(seen.length, before + 1, `${name} of ${text}`);
    }
  }
});

test("an error of another program is not taken for one of Waypost's", async (t) => {
  for (const text of ["{}", "null", '{"error":"no"}', '{"error":{"code":"teapot"}}', '{"error":{"code":418}}']) {
    const { waypost } = await setUp(t, {}, body(text, 418));

    const error = await waypost.search({ q: "coffee" }).catch((thrown: unknown) => thrown);

    assert.ok(error instanceof WaypostError, text);
    assert.deepEqual([error.code, error.status], ["unexpected_answer", 418], text);
  }
});

test("an error of the caller's own code reaches the caller as it is, and nothing is sent again", async (t) => {
  const own = new Error("my own mistake");
  const plain = await setUp(t, {}, answer({}));
  const throwing = {
    onResponse() {
      throw own;
    },
  };
  const { waypost, seen } = await setUp(t, throwing, answer({ businesses: [] }));

  await assert.rejects(waypost.search({ q: "coffee" }), own);
  assert.equal(seen.length, 1);
  const input = { q: "coffee", page: 1n as unknown as number };
  await assert.rejects(plain.waypost.scrapes.create({ input }), TypeError);
  assert.equal(plain.seen.length, 0);
});

async function readAll(items: AsyncIterable<unknown>) {
  for await (const _ of items);
}
