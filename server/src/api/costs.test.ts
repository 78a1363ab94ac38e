import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../test/harness.ts";
import { sendMcp } from "../../test/mcp.ts";
import { newUuid } from "../platform/ids.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

const headers = () => ({ "Content-Type": "application/json", "Idempotency-Key": newUuid() });

/** A star of almost as many points as an area may have, as a body. */
function starBody(): string {
  const points = Array.from({ length: 9_998 }, (_, index) => {
    const [angle, reach] = [(index / 9_998) * 2 * Math.PI, index % 2 === 0 ? 0.001 : 0.5];
    return [9.5 + reach * Math.cos(angle), 47.1 + reach * Math.sin(angle)];
  });
  const polygon = { type: "Polygon", coordinates: [[...points, points[0]]] };
  return JSON.stringify({ q: "coffee", area: { polygon }, max_units: 5 });
}

/** Sends areas with a key until one is refused, which must come. */
async function untilRefused(api: Api, key: string) {
  const body = starBody();
  for (let count = 1; count <= 100; count += 1) {
    const answer = await api.call("/api/v1/collections", { key, body, headers: headers() });
    if (answer.status !== 200) return answer;
  }
  throw new Error("a hundred areas were read");
}

test("an organization that used up its processor time waits with all its keys, and nobody else does", async (t) => {
  const api = await startApi(t, { settings: { processorMsPerSecond: 20 } });
  const { text: key, organizationId } = await api.givenKey();
  const { text: sibling } = await api.givenKey({ environment: "live", organizationId });
  const { text: other } = await api.givenKey();

  const refused = await untilRefused(api, key);

  assert.equal(refused.status, 429, refused.text);
  assert.equal(refused.body["error"].code, "rate_limited");
  assert.match(
    refused.body["error"].message,
    /more than 20 ms of processor time a second; wait as long as Retry-After/,
  );
  const waitSeconds = Number(refused.headers.get("retry-after"));
  assert.ok(waitSeconds >= 1, `${waitSeconds}`);
  assert.equal((await api.searchAs(sibling, { q: "coffee" })).status, 429);
  assert.equal((await sendMcp(api, sibling, "tools/list")).status, 429);
  assert.equal((await api.call("/api/v1/collections", { key })).status, 200, "reading has no body, and costs little");
  assert.equal((await api.searchAs(other, { q: "coffee" })).status, 200);
  assert.match((await api.call("/metrics")).text, /^waypost_http_cost_refused_total [3-9]/m);

  api.clock.advance(waitSeconds * 1_000);
  assert.equal((await api.searchAs(key, { q: "coffee" })).status, 200);
});

test("lists of an agent's tools, the OpenAPI document and sign-ins count too", async (t) => {
  const api = await startApi(t, { settings: { processorMsPerSecond: 10 } });
  const { text: key } = await api.givenKey();
  const list = () => sendMcp(api, key, "tools/list");
  const signIn = () =>
    api.call("/console/api/session", { json: { email: "nobody@example.com", password: "not the password" } });

  const read = () => api.call("/api/v1/openapi.json", { headers: { "Accept-Encoding": "identity" } });

  for (const send of [list, read, signIn]) {
    let answer = await send();
    for (let count = 1; count < 1_000 && answer.status !== 429; count += 1) answer = await send();
    assert.match(answer.text, /processor time/);
    api.clock.advance(60_000);
  }
});

// Ratios within one run: a busy machine is slow for both.
test("an area of many points is read in a thread, and not where everybody else waits", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const body = starBody();
  const create = () =>
    fetch(`${api.address}/api/v1/collections`, { method: "POST", body, headers: { ...headers(), "API-KEY": key } });

  await totalMs(create); // compiles, and starts the threads
  const parsing = await totalMs(async () => void JSON.stringify(JSON.parse(body)));
  const creating = await totalMs(async () => {
    const { status } = await create().then(async (response) => (await response.arrayBuffer(), response));
    assert.equal(status, 200);
  });

  assert.ok(creating < parsing * 6, `${creating} ms of this thread; parsing and writing the body once take ${parsing}`);
});

/** What this thread takes for a piece of work, done twelve times. */
async function totalMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  for (let round = 0; round < 12; round += 1) await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
