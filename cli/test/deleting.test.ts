import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, refuse, startScripted } from "../../sdk/test/scripted-server.ts";
import { waypost } from "./waypost.ts";

const things = [
  { noun: "jobs", prefix: "job", path: "scrapes" },
  { noun: "collections", prefix: "col", path: "collections" },
  { noun: "exports", prefix: "exp", path: "exports" },
  { noun: "webhooks", prefix: "whe", path: "webhook-endpoints" },
].map((thing) => ({ ...thing, id: `${thing.prefix}_${"0".repeat(26)}` }));

const environmentOf = (baseUrl: string) => ({ WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" });

for (const { noun, path, id } of things) {
  test(`\`${noun} delete\` asks the service once and says what is gone`, async (t) => {
    const { baseUrl, seen } = await startScripted(t, answer({ id, deleted: true }));

    const told = await waypost([noun, "delete", id], environmentOf(baseUrl));
    const data = await waypost([noun, "delete", id, "--json"], environmentOf(baseUrl));

    assert.deepEqual(told, { code: 0, out: `Deleted ${id}.\n`, error: "" });
    assert.deepEqual(JSON.parse(data.out), { id, deleted: true });
    assert.deepEqual(
      seen.map(({ method, url }) => `${method} ${url}`),
      Array.from({ length: 2 }, () => `DELETE /api/v1/${path}/${id}`),
    );
  });

  test(`\`${noun} delete\` of what is not there ends with 4, and without one id nothing is asked`, async (t) => {
    const { baseUrl, seen } = await startScripted(t, refuse(404, "not_found", false));

    const gone = await waypost([noun, "delete", id], environmentOf(baseUrl));
    const wrong = [[], [id, id], ["name"]].map((words) => waypost([noun, "delete", ...words], environmentOf(baseUrl)));

    assert.deepEqual([gone.code, gone.out], [4, ""]);
    for (const { code, out, error } of await Promise.all(wrong)) assert.deepEqual([code, out], [2, ""], error);
    assert.equal(seen.length, 1);
  });
}
