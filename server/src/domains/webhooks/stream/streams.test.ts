import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { isSigned } from "../../../../test/webhook-receiver.ts";
import { startWebhooks } from "../../../../test/webhooks.ts";
import { newUuid } from "../../../platform/ids.ts";
import { silentLog } from "../../../platform/log.ts";
import { sql } from "../../../platform/postgres/sql.ts";

type Frame = { id?: string; event?: string; data?: any; comment?: string };

/** Opens a stream and reads it frame by frame. */
async function openStream(
  t: TestContext,
  { address, key }: { address: string; key: string },
  headers: Record<string, string> = {},
) {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const response = await fetch(`${address}/api/v1/events/stream`, {
    headers: { "API-KEY": key, ...headers },
    signal: abort.signal,
  });
  const reader = (response.body ?? assert.fail("no body")).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  /** Resolves to undefined when the stream has ended. */
  async function next(): Promise<Frame | undefined> {
    while (!text.includes("\n\n")) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
    const end = text.indexOf("\n\n");
    const lines = text.slice(0, end).split("\n");
    text = text.slice(end + 2);
    const fields = Object.fromEntries(lines.map((line) => [line.split(":")[0], line.slice(line.indexOf(":") + 2)]));
    return {
      ...fields,
      ...(fields["data"] ? { data: JSON.parse(fields["data"]) } : {}),
      ...(fields[""] === undefined ? {} : { comment: fields[""] }),
    };
  }

  return { status: response.status, headers: response.headers, next, close: () => abort.abort() };
}

test("a stream begins with its secret and carries each event as a delivery would, endpoint or not", async (t) => {
  const started = await startWebhooks(t);
  const { givenEvent, givenEndpoint } = started;
  const { uuid } = await givenEndpoint();
  const stream = await openStream(t, started);
  const opened = await stream.next();

  const unbound = await givenEvent(null);
  const bound = await givenEvent(uuid);

  assert.equal(stream.status, 200);
  assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.equal(stream.headers.get("cache-control"), "no-store");
  assert.equal(opened?.event, "stream.opened");
  assert.match(opened?.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const event of [unbound, bound]) {
    const frame = (await stream.next()) ?? assert.fail("the stream ended");
    const { headers, body } = frame.data;
    const lowercase = Object.fromEntries(
      Object.entries(headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value]),
    );
    assert.ok(isSigned({ headers: lowercase, raw: Buffer.from(body) }, opened?.data.secret));
    assert.equal(JSON.parse(body).resource.id, event.resource.id);
    assert.equal(frame.event, "scrape.started");
    assert.equal(frame.id, JSON.parse(body).id);
    assert.equal(headers["X-SVC-Event-Id"], frame.id);
    assert.deepEqual([headers["X-SVC-Key-Version"], headers["X-SVC-Delivery-Attempt"]], ["1", "1"]);
  }
});

test("a reader resumes after the last event it has seen, and sees no other organization's", async (t) => {
  const started = await startWebhooks(t);
  const { givenEvent, givenOrganization } = started;
  const first = await openStream(t, started);
  await first.next();
  await givenEvent(null);
  const seen = (await first.next())?.id ?? "";
  first.close();
  await givenEvent(null, { organizationId: await givenOrganization() });
  const missed = [await givenEvent(null), await givenEvent(null)];

  const second = await openStream(t, started, { "Last-Event-ID": seen });
  await second.next();
  const frames = [await second.next(), await second.next()];

  assert.deepEqual(
    frames.map((frame) => JSON.parse(frame?.data.body).resource.id),
    missed.map(({ resource }) => resource.id),
  );
});

test("a reader that resumes while the database is away gets every event when it is there again", async (t) => {
  const failed = Promise.withResolvers<void>();
  const log = {
    ...silentLog,
    warn: (_fields: object, line: string) => line.endsWith("read_failed") && failed.resolve(),
  };
  const started = await startWebhooks(t, { log, streams: { pollMs: 20 } });
  const { db, clock, givenEvent } = started;
  const first = await openStream(t, started);
  await first.next();
  await givenEvent(null);
  const seen = (await first.next())?.id ?? "";
  first.close();
  const missed = await givenEvent(null);
  clock.advance(5 * 60_000);

  await db.query(sql`alter table webhook_events rename to webhook_events_away`);
  const second = await openStream(t, started, { "Last-Event-ID": seen });
  await second.next();
  await failed.promise;
  await db.query(sql`alter table webhook_events_away rename to webhook_events`);

  assert.equal(JSON.parse((await second.next())?.data.body).resource.id, missed.resource.id);
});

test("a reader that was away for more than a page gets every event once", async (t) => {
  const started = await startWebhooks(t);
  const { givenEvent } = started;
  const first = await openStream(t, started);
  await first.next();
  await givenEvent(null);
  const seen = (await first.next())?.id ?? "";
  first.close();
  const resource = { type: "scrape_job" as const, id: newUuid() };
  for (let count = 0; count < 230; count += 1) await givenEvent(null, { resource });

  const second = await openStream(t, started, { "Last-Event-ID": seen });
  await second.next();
  const sequences = [];
  for (let count = 0; count < 230; count += 1)
    sequences.push(JSON.parse((await second.next())?.data.body).data.sequence);

  assert.deepEqual(
    sequences.toSorted((one, other) => one - other),
    Array.from({ length: 230 }, (_, index) => index + 1),
  );
});

test("a stream needs a live key with the scope, and a Last-Event-ID that is an event's", async (t) => {
  const { send, call, key, organizationId, givenKey } = await startWebhooks(t);
  const { text: testKey } = await givenKey({ organizationId, environment: "test" });
  const { text: unscoped } = await givenKey({ organizationId, environment: "live", scopes: ["scrapes:read"] });

  const withTest = await send("GET", "/events/stream", undefined, testKey);
  const withoutScope = await send("GET", "/events/stream", undefined, unscoped);
  const malformed = await call("/api/v1/events/stream", { key, headers: { "Last-Event-ID": "7" } });

  assert.deepEqual([withTest.status, withTest.body.error.code], [403, "live_key_required"]);
  assert.deepEqual([withoutScope.status, withoutScope.body.error.code], [403, "insufficient_scope"]);
  assert.deepEqual([malformed.status, malformed.body["error"].code], [400, "invalid_request"]);
});

test("an organization has a bounded number of streams, and closing one makes room", async (t) => {
  const started = await startWebhooks(t, { streams: { streamsMax: 2 } });
  const { send, givenKey } = started;
  const streams = [await openStream(t, started), await openStream(t, started)];
  for (const stream of streams) await stream.next();

  const refused = await send("GET", "/events/stream");
  const { text: other } = await givenKey({ environment: "live" });
  const stranger = await openStream(t, { ...started, key: other });
  streams[0]?.close();
  let again = await openStream(t, started);
  while (again.status === 409) again = await openStream(t, started);

  assert.deepEqual([refused.status, refused.body.error.code], [409, "state_conflict"]);
  assert.equal(stranger.status, 200);
  assert.equal(again.status, 200);
});

test("a stream beats while nothing happens, and ends at the beat after its key was revoked", async (t) => {
  const started = await startWebhooks(t, { streams: { heartbeatMs: 100, pollMs: 20 } });
  const { apiKeys, organizationId, givenKey } = started;
  const { text, key } = await givenKey({ organizationId, environment: "live" });
  const stream = await openStream(t, { ...started, key: text });
  await stream.next();

  const beat = await stream.next();
  await apiKeys.revoke(organizationId, key.id, "no longer needed here");
  let frame = await stream.next();
  while (frame) frame = await stream.next();

  assert.equal(beat?.comment, "heartbeat");
  assert.equal(frame, undefined);
});

test("a key that was revoked hears of no event, also before the next beat", async (t) => {
  const started = await startWebhooks(t, { streams: { pollMs: 20 } });
  const { apiKeys, organizationId, givenKey, givenEvent, send } = started;
  const { text, key } = await givenKey({ organizationId, environment: "live" });
  const stream = await openStream(t, { ...started, key: text });
  await stream.next();

  await apiKeys.revoke(organizationId, key.id, "no longer needed here");
  while ((await send("GET", "/webhook-endpoints", undefined, text)).status !== 401);
  await givenEvent(null);

  assert.equal(await stream.next(), undefined);
});

test("a reader that stops reading is cut off, and holds nothing any longer", async (t) => {
  const started = await startWebhooks(t, { streams: { pollMs: 20, stalledMs: 200 } });
  const { address, key, givenEvent, eventStreams } = started;
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write(`GET /api/v1/events/stream HTTP/1.1\r\nHost: ${hostname}\r\nAPI-KEY: ${key}\r\n\r\n`);
  await once(socket, "readable");
  const operation = "x".repeat(15_000);

  while (eventStreams.count() === 1) await givenEvent(null, { operation });

  assert.equal(eventStreams.count(), 0);
});

test("streams end when the server closes, and their readers see the end", async (t) => {
  const started = await startWebhooks(t);
  const stream = await openStream(t, started);
  await stream.next();

  const closing = started.app.close();
  const end = await stream.next();
  await closing;

  assert.equal(end, undefined);
});
