import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../test/harness.ts";
import { callTool, sendMcp } from "../../test/mcp.ts";
import { newUuid } from "../platform/ids.ts";

const q = "coffee in Vaduz";
test("a job and its results are resources, marked as untrusted", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { text: stranger } = await api.givenKey();
  const created = await callTool(api, key, "create_scrape", {
    q,
    idempotency_key: newUuid(),
  });
  const uri = `waypost://scrapes/${created.structuredContent["job"].id}`;

  const listed = await sendMcp(api, key, "resources/list");
  const job = await sendMcp(api, key, "resources/read", { uri });
  const results = await sendMcp(api, key, "resources/read", { uri: `${uri}/results` });
  const foreign = await sendMcp(api, stranger, "resources/read", { uri });

  assert.deepEqual(
    listed.body["result"].resources.map((each: { uri: string }) => each.uri),
    [uri],
  );
  assert.equal(JSON.parse(job.body["result"].contents[0].text).status, "succeeded");
  const read = JSON.parse(results.body["result"].contents[0].text);
  assert.equal(read.records.length, 10);
  assert.match(read.notice, /untrusted third-party data/);
  assert.equal(foreign.body["error"].code, -32_602);
  assert.deepEqual(foreign.body["error"].data, { uri });
});

test("a list goes on from its cursor to its end, and takes no cursor that it did not give", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  for (let job = 0; job < 26; job += 1) await callTool(api, key, "create_scrape", { q, idempotency_key: newUuid() });
  const list = async (method: string, cursor?: string) =>
    (await sendMcp(api, key, method, cursor === undefined ? {} : { cursor })).body;

  const first = (await list("resources/list"))["result"];
  const second = (await list("resources/list", first.nextCursor))["result"];

  const uris = [...first.resources, ...second.resources].map(({ uri }: { uri: string }) => uri);
  assert.deepEqual([first.resources.length, new Set(uris).size], [25, 26]);
  assert.equal("nextCursor" in second, false);
  for (const method of ["tools/list", "resources/list", "resources/templates/list"]) {
    const { error } = await list(method, "invented");
    assert.deepEqual([error.code, error.data.code], [-32_602, "invalid_request"], method);
  }
});
