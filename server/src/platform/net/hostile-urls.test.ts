import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { hostileAnswers, hostileUrls } from "../../../test/hostile-urls.ts";
import { startHttp, startTcp } from "../../../test/local-servers.ts";
import { createOutbound, OutboundFailure } from "./outbound.ts";

test("no hostile host or spelling is reached, and its refusal says nothing of what is there", async (t) => {
  const listeners = await startListeners(t);
  const urls = hostileUrls(listeners.port);
  assert.ok(new Set(urls).size >= 300);
  const outbound = createOutbound({ allow: [] });
  t.after(() => outbound.close());

  for (const url of urls) await assertRefused(outbound, url);

  assert.equal(listeners.connections(), 0);
});

test("no name is connected to when any of its addresses is not public", async (t) => {
  const listeners = await startListeners(t);
  const outbound = createOutbound({ allow: [], lookup: async (hostname) => hostileAnswers[hostname] ?? [] });
  t.after(() => outbound.close());

  for (const hostname of Object.keys(hostileAnswers))
    for (const protocol of ["http", "https"])
      await assertRefused(outbound, `${protocol}://${hostname}:${listeners.port}/`);

  assert.equal(listeners.connections(), 0);
});

// Without this the two tests above could pass because nobody can reach the listeners at all.
test("the listeners of these tests do hear whoever is allowed to reach them", async (t) => {
  const listeners = await startListeners(t);
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  t.after(() => outbound.close());

  await outbound.request({ ...patience, url: `http://0x7f.1:${listeners.port}/` });

  assert.equal(listeners.connections(), 1);
});

const patience = { deadlineMs: 3000, bytesMax: 1000, protocols: ["http:", "https:"] as const, redirectsMax: 3 };

async function assertRefused(outbound: ReturnType<typeof createOutbound>, url: string): Promise<void> {
  for (const attempt of [() => outbound.request({ ...patience, url }), () => outbound.check(url, patience)])
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof OutboundFailure, `${url}: ${String(error)}`);
      assert.ok(["not_public", "bad_url", "name_not_found"].includes(error.reason), `${url}: ${error.reason}`);
      if (error.reason === "not_public") assert.equal(error.message, "The target is not public.");
      return true;
    });
}

/** HTTP on 127.0.0.1 and, where the machine has it, bare TCP on ::1, on one port. */
async function startListeners(t: TestContext): Promise<{ port: number; connections(): number }> {
  const four = await startHttp(t, (_request, response) => void response.end("hello"));
  const six = await startTcp(t, () => {}, { host: "::1", port: four.port }).catch(() => undefined);
  return { port: four.port, connections: () => four.connections.length + (six?.connections.length ?? 0) };
}
