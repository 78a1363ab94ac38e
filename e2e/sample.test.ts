import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Environment, newPreparedFolder, type RunningService, startService, until, waypost } from "./service.ts";

const title = "Sample: Liechtenstein, March 2024, © OpenStreetMap contributors";
/** Live services that nobody can reach: there is no network. */
const offline = {
  WAYPOST_SOURCE: "auto",
  WAYPOST_NOMINATIM_URL: "http://127.0.0.1:9",
  WAYPOST_OVERPASS_URL: "http://127.0.0.1:9/api",
};

async function start(t: TestContext, more: Environment = {}) {
  const environment = { ...offline, WAYPOST_DATA_DIR: await newPreparedFolder(t), ...more };
  return { environment, service: await startService(t, environment) };
}

const liveKeyIn = ({ output }: RunningService) => /svc_live_\w+/.exec(output)?.[0] ?? "";

async function ask({ address }: RunningService, key: string, json: Record<string, unknown>) {
  const response = await fetch(`${address}/api/v1/search`, {
    method: "POST",
    headers: { "API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify(json),
  });
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

const coffee = { q: "coffee in Vaduz" };
const hasSample = async (service: RunningService, key: string) => (await ask(service, key, coffee)).status === 200;

test("a first start without a network finds real cafés of Vaduz, and never shows them for another place", async (t) => {
  const { environment, service } = await start(t);
  const key = liveKeyIn(service);
  await until(() => hasSample(service, key));

  const { body } = await ask(service, key, coffee);
  const cafes = body["data"].businesses as { name: string; city: string; country_code: string; simulated?: boolean }[];
  assert.ok(cafes.length > 3);
  assert.equal(body["data"].simulated, false);
  assert.ok(JSON.stringify(cafes).includes("Vaduz"));
  const ofMap = await ask(service, key, { q: "coffee", ll: "@47.141,9.521,14z" });
  assert.ok(ofMap.body["data"].total > 0);
  assert.ok((await ask(service, key, { q: "pharmacy", gl: "li" })).body["data"].total > 0);

  const outside = [
    { q: "coffee Paris" },
    { q: "coffee", gl: "de" },
    { q: "coffee in Vaduz", gl: "de" },
    { q: "coffee", ll: "@48.85,2.35,14z" },
  ];
  for (const json of outside) {
    const { status, body: refused } = await ask(service, key, json);
    assert.equal(status, 503, JSON.stringify(json));
    assert.equal(refused["error"].code, "source_unavailable");
    assert.match(refused["error"].message, /The sample covers Liechtenstein\. Add your area: npx waypost catalog add/);
  }
  for (const q of ["dentist", "dentist near me"]) assert.equal((await ask(service, key, { q })).status, 400, q);

  assert.ok(service.output.includes(title));
  const status = await waypost(["status"], environment);
  assert.ok(status.stdout.includes(title), status.stdout);
});

test("killed in the middle, the sample is there after the next start; removed, it never comes back", async (t) => {
  const { environment, service } = await start(t);
  const key = liveKeyIn(service);
  await service.end("SIGKILL"); // its import has begun or is about to

  const second = await startService(t, environment);
  await until(() => hasSample(second, key));
  const removed = await waypost(["catalog", "remove", "sample"], environment);
  assert.equal(removed.code, 0, removed.stderr);
  await second.end("SIGTERM");

  const third = await startService(t, environment);
  assert.ok(!third.output.includes(title));
  const listed = await waypost(["catalog", "list", "--json"], environment);
  assert.deepEqual(JSON.parse(listed.stdout).data_sets, []);
});
