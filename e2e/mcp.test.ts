import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio2025 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Transport2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { defer } from "../server/test/defer.ts";
import { startCatalogStage } from "./catalog-stage.ts";
import { root, until, waypost as command } from "./service.ts";

type Headers = Record<string, string>;
type Result = { structuredContent?: any; isError?: boolean; content: { text?: string }[] };

/** What the stories need of a client, whichever generation it is. */
type Agent = {
  names: Set<string>;
  call(name: string, input?: object): Promise<Result>;
  read(uri: string): Promise<any>;
};

const info = { name: "e2e", version: "1.0.0" };

async function agentOf2026(t: TestContext, address: string, headers: Headers): Promise<Agent> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", address), { requestInit: { headers } }));
  defer(t, () => client.close());
  return agentOn(client as unknown as Client2025);
}

async function agentOf2025(t: TestContext, address: string, headers: Headers): Promise<Agent> {
  const client = new Client2025(info);
  await client.connect(new Transport2025(new URL("/mcp", address), { requestInit: { headers } }));
  defer(t, () => client.close());
  return agentOn(client);
}

/** How a client that speaks only stdio starts the bridge. */
function bridge(address: string, key: string) {
  const env = { PATH: process.env["PATH"] ?? "", WAYPOST_URL: address, WAYPOST_API_KEY: key };
  return { command: process.execPath, args: [join(root, "cli/bin/waypost.js"), "mcp"], env };
}

async function stdioClientOf2026(t: TestContext, address: string, key: string): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StdioClientTransport(bridge(address, key)));
  defer(t, () => client.close());
  return client;
}

async function stdioClientOf2025(t: TestContext, address: string, key: string): Promise<Client2025> {
  const client = new Client2025(info);
  await client.connect(new Stdio2025(bridge(address, key)));
  defer(t, () => client.close());
  return client;
}

/** The methods that both generations have. */
async function agentOn(client: Pick<Client2025, "listTools" | "callTool" | "readResource">): Promise<Agent> {
  const { tools } = await client.listTools();
  return {
    names: new Set(tools.map(({ name }) => name)),
    call: async (name, input = {}) => (await client.callTool({ name, arguments: { ...input } })) as Result,
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      const [first] = contents as { text: string }[];
      return JSON.parse(first?.text ?? "");
    },
  };
}

const generations = { "2026-07-28": agentOf2026, "2025-11-25": agentOf2025 };

/** Every tool once or more, as an agent with a live key would use them; resolves to those it called. */
async function useEverything(agent: Agent, receiverUrl: string): Promise<Set<string>> {
  const used = new Set<string>();
  const call = async (name: string, input: object = {}) => {
    used.add(name);
    const result = await agent.call(name, input);
    assert.notEqual(result.isError, true, `${name}: ${JSON.stringify(result)}`);
    assert.match(result.content[0]?.text ?? "", /untrusted third-party data/, name);
    return result.structuredContent;
  };
  const search = { q: "cafe in Vaduz", ll: "@47.141,9.521,14z" };
  const key = { idempotency_key: randomUUID() };

  const found = await call("search_businesses", { ...search, fields: ["name"] });
  assert.deepEqual(found.businesses.map(({ name }: { name: string }) => name).sort(), [
    "Probe Espresso",
    "Probe Mokka",
  ]);
  assert.equal(found.units.charged, 1);

  const { endpoint } = await call("create_webhook_endpoint", { url: receiverUrl, event_types: ["scrape.completed"] });
  const endpointId = { endpoint_id: endpoint.id };
  const { job } = await call("create_scrape", { ...search, wait_seconds: 20, ...key });
  assert.equal(job.status, "succeeded");
  const jobId = { job_id: job.id };
  assert.equal((await call("get_scrape", jobId)).job.result_count, 2);
  assert.equal((await call("list_scrapes", { limit: 1 })).jobs[0].id, job.id);
  const results = await call("get_scrape_results", { job_id: job.id, limit: 1 });
  assert.equal(results.records.length, 1);
  assert.ok(results.next_cursor);
  assert.equal((await call("cancel_scrape", { job_id: job.id, ...key })).job.status, "succeeded");
  assert.equal((await agent.read(`waypost://scrapes/${job.id}/results`)).records.length, 2);

  const { export: file } = await call("create_export", { ...jobId, format: "csv", ...key });
  let ready = file;
  for (let left = 200; left > 0 && ready.status !== "ready"; left -= 1) {
    ready = (await call("get_export", { export_id: file.id })).export;
  }
  used.add("get_export");
  assert.equal((await fetch(ready.download_url)).status, 200);
  assert.equal((await call("list_exports", { limit: 1 })).exports[0].id, file.id);

  const circle = { latitude: 47.141, longitude: 9.5215, radius_m: 1_000 };
  const collect = { q: "cafe", circle, max_units: 5, idempotency_key: randomUUID() };
  const { estimate } = await call("estimate_collection", { q: "cafe", circle });
  assert.deepEqual([estimate.units, estimate.businesses, estimate.source], [1, 2, "catalog"]);
  const { collection: created } = await call("create_collection", collect);
  const collectionId = { collection_id: created.id };
  await until(async () => (await call("get_collection", collectionId)).collection.finished_at !== undefined);
  const { collection } = await call("get_collection", collectionId);
  assert.deepEqual([collection.status, collection.progress.units_charged], ["succeeded", 1]);
  assert.equal((await call("list_collections", { limit: 1 })).collections[0].id, created.id);
  assert.equal((await call("cancel_collection", collectionId)).collection.status, "succeeded");
  for (const name of ["pause_collection", "resume_collection"]) {
    used.add(name);
    const { structuredContent } = await agent.call(name, collectionId);
    assert.equal(structuredContent.error.code, "state_conflict", name);
  }
  const { records, is_complete } = await call("get_collection_results", { ...collectionId, fields: ["name"] });
  assert.deepEqual(records.map(({ name }: { name: string }) => name).sort(), ["Probe Espresso", "Probe Mokka"]);
  assert.equal(is_complete, true);

  const made = { delete_export: { export_id: file.id }, delete_collection: collectionId, delete_scrape: jobId };
  for (const [name, id] of Object.entries(made)) assert.equal((await call(name, id)).deleted, true, name);

  assert.equal((await call("list_webhook_endpoints")).endpoints.length, 1);
  assert.equal((await call("get_webhook_endpoint", endpointId)).endpoint.status, "active");
  await call("rotate_webhook_secret", { ...endpointId, mode: "normal" });
  const { delivery } = await call("send_test_event", endpointId);
  for (let left = 200; left > 0; left -= 1) {
    const { deliveries } = await call("list_webhook_deliveries", endpointId);
    if (deliveries[0]?.finished_at) break;
  }
  await call("resend_webhook_delivery", { delivery_id: delivery.id });
  const paused = await call("update_webhook_endpoint", { ...endpointId, status: "paused" });
  assert.equal(paused.endpoint.status, "paused");
  assert.equal((await call("delete_webhook_endpoint", endpointId)).deleted, true);
  return used;
}

test("the official clients of both generations, and stdio, drive every tool with every kind of key", async (t) => {
  const { receiver, address, liveKey, testKey, environment } = await startCatalogStage(t);
  const poorKey = await command(["keys", "create", "--name", "poor", "--scopes", "scrapes:read"], environment);
  const poor = /svc_live_\w+/.exec(poorKey.stdout)?.[0] ?? "";
  assert.notEqual(poor, "", poorKey.stderr);

  for (const [generation, connect] of Object.entries(generations)) {
    const agent = await connect(t, address, { Authorization: `Bearer ${liveKey}` });
    assert.deepEqual(await useEverything(agent, receiver.url), agent.names, generation);
    const missing = await agent.call("get_scrape", { job_id: "job_unknown" });
    assert.equal(missing.structuredContent.error.code, "not_found", generation);

    const simulated = await connect(t, address, { "X-API-KEY": testKey });
    const answer = await simulated.call("search_businesses", { q: "coffee in Vaduz" });
    assert.equal(answer.structuredContent.simulated, true, generation);
    assert.equal(simulated.names.has("create_webhook_endpoint"), false, generation);
    const refused = await simulated.call("list_webhook_endpoints");
    assert.equal(refused.structuredContent.error.code, "live_key_required", generation);

    const limited: Agent = await connect(t, address, { "SVC-API-KEY": poor });
    assert.deepEqual(
      limited.names,
      new Set(["list_scrapes", "get_scrape", "estimate_collection", "list_collections", "get_collection"]),
      generation,
    );
    const lacking = await limited.call("search_businesses", { q: "coffee in Vaduz" });
    assert.equal(lacking.structuredContent.error.code, "insufficient_scope", generation);

    await assert.rejects(connect(t, address, { "API-KEY": liveKey, "X-API-KEY": testKey }), generation);
  }

  const bridged = await agentOn(await stdioClientOf2025(t, address, liveKey));
  assert.deepEqual(await useEverything(bridged, receiver.url), bridged.names, "stdio, 2025");
  const current = await stdioClientOf2026(t, address, liveKey);
  const bridgedNow = await agentOn(current as unknown as Client2025);
  assert.deepEqual(await useEverything(bridgedNow, receiver.url), bridgedNow.names, "stdio, 2026");

  await cancelWhileWaiting(await stdioClientOf2026(t, address, testKey));
  await cancelWhileWaiting(await stdioClientOf2025(t, address, testKey));
});

/** Cancels a call that has told of its progress; the client goes on with another. */
async function cancelWhileWaiting(client: Pick<Client2025, "request">) {
  const canceled = new AbortController();
  const slow = { q: "test:slow coffee", wait_seconds: 25, idempotency_key: randomUUID() };
  const request = { method: "tools/call" as const, params: { name: "create_scrape", arguments: slow } };
  const options = { signal: canceled.signal, onprogress: () => canceled.abort("the person left") };

  await assert.rejects(client.request(request, CallToolResultSchema, options), /the person left/);

  const search = { name: "search_businesses", arguments: { q: "coffee in Vaduz" } };
  const found = await client.request({ method: "tools/call", params: search }, CallToolResultSchema);
  assert.equal(found.structuredContent?.["simulated"], true);
}
