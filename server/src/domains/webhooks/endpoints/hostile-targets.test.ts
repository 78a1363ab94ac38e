import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createOutbound } from "../../../platform/net/outbound.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { hostileAnswers, hostileUrls } from "../../../../test/hostile-urls.ts";
import { startTcp } from "../../../../test/local-servers.ts";
import { startWebhooks } from "../../../../test/webhooks.ts";

/** Webhooks without the operator's exception, and a listener on loopback that nothing may reach. */
async function setUp(t: TestContext, lookup?: (hostname: string) => Promise<string[]>) {
  let bytes = 0;
  const talk = (socket: { on(event: "data", heard: (chunk: Buffer) => void): void }) =>
    socket.on("data", (chunk) => (bytes += chunk.length));
  const four = await startTcp(t, talk);
  const six = await startTcp(t, talk, { host: "::1", port: four.port }).catch(() => undefined);
  const outbound = createOutbound({ allow: [], ...(lookup ? { lookup } : {}) });
  const started = await startWebhooks(t, { outbound, ports: [four.port] });
  const heard = () => ({ connections: four.connections.length + (six?.connections.length ?? 0), bytes });

  /** An endpoint whose target was public when it was saved, and is something else by now. */
  async function givenTurnedEndpoint(url: string) {
    const { id, uuid } = await started.givenEndpoint({ url: `https://93.184.216.34:${four.port}/` });
    await started.db.query(sql`update webhook_endpoints set url = ${url} where id = ${uuid}`);
    return { id, uuid };
  }

  return { ...started, port: four.port, heard, givenTurnedEndpoint };
}

const silence = { connections: 0, bytes: 0 };
const isRefusal = /^\/url: must (have a target that is public|be an HTTPS URL|have at least 1 char)/;

test("no hostile URL can be saved or patched in, and its refusal says nothing of what is there", async (t) => {
  const { send, port, heard, givenEndpoint } = await setUp(t);
  const { id } = await givenEndpoint({ url: `https://93.184.216.34:${port}/` });
  const urls = hostileUrls(port);
  assert.ok(urls.length >= 300);

  for (const url of urls) {
    const create = await send("POST", "/webhook-endpoints", { url, event_types: ["scrape.started"] });
    const patch = await send("PATCH", `/webhook-endpoints/${id}`, { url });
    for (const { status, body } of [create, patch]) {
      assert.equal(status, 400, url);
      assert.equal(body.error.code, "invalid_request");
      assert.equal(body.error.details.length, 1);
      assert.match(body.error.details[0], isRefusal, url);
    }
  }

  assert.deepEqual(heard(), silence);
});

test("no attempt and no test event reaches a hostile URL, however it came to be an endpoint's", async (t) => {
  const { send, port, db, dispatcher, endpoint, heard, givenEvent, givenTurnedEndpoint } = await setUp(t);
  const { id, uuid } = await givenTurnedEndpoint(`https://93.184.216.34:${port}/`);

  for (const url of hostileUrls(port)) {
    await db.query(sql`
      update webhook_endpoints
      set url = ${url.replaceAll("\0", "")}, status = 'active', status_reason = null
      where id = ${uuid}
    `);
    await givenEvent(uuid);
    await dispatcher.drain();
    const { status, status_reason: reason } = await endpoint(id);
    if (status === "disabled") assert.equal(reason, "non_public_target");

    await db.query(sql`update webhook_endpoints set status = 'active', status_reason = null where id = ${uuid}`);
    const tested = await send("POST", `/webhook-endpoints/${id}/test`);
    assert.equal(tested.status, 409, url);
    assert.match(tested.body.error.details[0], isRefusal);
    await db.query(sql`update webhook_deliveries set run_at = null, status = 'failed', finished_at = now()
      where endpoint_id = ${uuid} and run_at is not null`);
  }

  assert.deepEqual(heard(), silence);
});

test("a literal private address disables the endpoint at its first attempt", async (t) => {
  const { port, dispatcher, endpoint, heard, givenEvent, givenTurnedEndpoint } = await setUp(t);

  for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "10.1"]) {
    const { id, uuid } = await givenTurnedEndpoint(`https://${host}:${port}/`);
    await givenEvent(uuid);
    await dispatcher.drain();
    const { status, status_reason: reason } = await endpoint(id);
    assert.deepEqual([status, reason], ["disabled", "non_public_target"], host);
  }

  assert.deepEqual(heard(), silence);
});

test("a name is refused when any of its addresses is not public, at every door", async (t) => {
  const { send, port, dispatcher, heard, givenEvent, givenEndpoint, givenTurnedEndpoint } = await setUp(
    t,
    async (hostname) => hostileAnswers[hostname] ?? [],
  );
  const kept = await givenEndpoint({ url: `https://93.184.216.34:${port}/` });

  for (const hostname of Object.keys(hostileAnswers)) {
    const url = `https://${hostname}:${port}/`;
    const { id, uuid } = await givenTurnedEndpoint(url);
    await givenEvent(uuid);
    await dispatcher.drain();
    const turned = await givenTurnedEndpoint(url);
    for (const [expected, { status, body }] of [
      [400, await send("POST", "/webhook-endpoints", { url, event_types: ["scrape.started"] })],
      [400, await send("PATCH", `/webhook-endpoints/${kept.id}`, { url })],
      [409, await send("POST", `/webhook-endpoints/${turned.id}/test`)],
    ] as const) {
      assert.equal(status, expected, hostname);
      assert.deepEqual(body.error.details, ["/url: must have a target that is public"]);
    }
    for (const each of [id, turned.id]) await send("DELETE", `/webhook-endpoints/${each}`);
  }

  assert.deepEqual(heard(), silence);
});

test("a name that is rebound between looks is refused at the next look, and never connected to by its new address", async (t) => {
  let lookups = 0;
  const { port, dispatcher, endpoint, heard, givenEndpoint, givenEvent } = await setUp(t, async () => {
    lookups += 1;
    return lookups === 1 ? ["93.184.216.34"] : ["127.0.0.1"];
  });
  const { id, uuid } = await givenEndpoint({ url: `https://rebound.attacker.test:${port}/` });
  assert.equal(lookups, 1);
  await givenEvent(uuid);

  await dispatcher.drain();

  assert.equal((await endpoint(id)).status_reason, "non_public_target");
  assert.deepEqual(heard(), silence);
});

// Without this the tests above could pass because nobody can reach the listener at all.
test("the listener of these tests does hear a webhook that the operator's exception lets through", async (t) => {
  const { receiver, dispatcher, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { uuid } = await givenEndpoint();
  await givenEvent(uuid);

  await dispatcher.drain();

  assert.equal(receiver.connections, 1);
});
