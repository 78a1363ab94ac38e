import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "./scripted-client.ts";
import { type Answer, refuse } from "./scripted-server.ts";

const opened = (secret: string) => `retry: 1000\nevent: stream.opened\ndata: {"secret":"${secret}"}\n\n`;
const frame = (id: string, type = "scrape.started") => {
  const body = JSON.stringify({ id, type, data: {} });
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ headers: { "X-SVC-Event-Id": id }, body })}\n\n`;
};
const sends =
  (...pieces: (string | Uint8Array)[]): Answer =>
  (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

test("events come one by one, whatever the pieces they arrive in", async (t) => {
  const text = `${opened("whsec_1")}: heartbeat\n\n${frame("a")}${frame("b").replaceAll("\n", "\r\n")}${frame("Ä")}`;
  const bytes = Buffer.from(text);
  const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  const { waypost } = await setUp(t, {}, sends(...pieces), refuse(401, "unauthenticated", false));
  const ids: string[] = [];

  const reading = async () => {
    for await (const { event, headers, secret } of waypost.events.stream()) {
      ids.push(event.id);
      assert.equal(headers["X-SVC-Event-Id"], event.id);
      assert.equal(secret, "whsec_1");
    }
  };

  await assert.rejects(reading(), { code: "unauthenticated" });
  assert.deepEqual(ids, ["a", "b", "Ä"]);
});

test("a lost stream is opened again after the last event, and what comes twice is told once", async (t) => {
  const { waypost, seen, pauses } = await setUp(
    t,
    {},
    sends(opened("whsec_1"), frame("a"), frame("b")),
    refuse(503, "temporarily_unavailable", true),
    refuse(409, "state_conflict", false),
    (response) => response.destroy(),
    sends(opened("whsec_2"), frame("b"), frame("c")),
    refuse(403, "insufficient_scope", false),
  );
  const told: string[] = [];
  const secrets: string[] = [];
  let losses = 0;
  const options = {
    onOpen: ({ secret }: { secret: string }) => secrets.push(secret),
    onDisconnect: () => (losses += 1),
  };

  const reading = async () => {
    for await (const { event } of waypost.events.stream(options)) told.push(event.id);
  };

  await assert.rejects(reading(), { code: "insufficient_scope" });
  assert.deepEqual(told, ["a", "b", "c"]);
  assert.deepEqual(secrets, ["whsec_1", "whsec_2"]);
  assert.equal(losses, 5);
  assert.deepEqual(
    seen.map(({ headers }) => headers["last-event-id"]),
    [undefined, "b", "b", "b", "b", "c"],
  );
  assert.ok(pauses.length === 5 && pauses.every((ms) => ms > 0));
});

test("a stream that never was is an error at once, and a signal ends one that is open", async (t) => {
  const refused = await setUp(t, {}, refuse(409, "state_conflict", false));
  await assert.rejects(refused.waypost.events.stream().next(), { code: "state_conflict" });

  const reason = new Error("enough");
  const controller = new AbortController();
  const endless = await setUp(t, {}, (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(opened("whsec_1") + frame("a"));
  });
  const stream = endless.waypost.events.stream({ signal: controller.signal });
  await stream.next();
  controller.abort(reason);
  await assert.rejects(stream.next(), reason);
});

test("what is no event stream of Waypost's is an error at once, also after one that was", async (t) => {
  const page: Answer = (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>id: 1\n\n</p>");
  const others: Record<string, Answer> = {
    "a page": page,
    "no content": (response) => response.writeHead(204).end(),
    "a stream that says nothing": sends(),
    "another's stream": sends("id: 1\nevent: tick\ndata: 1\n\n"),
    "a stream without a secret": sends("event: stream.opened\ndata: {}\n\n"),
    "an opening that is no JSON": sends("event: stream.opened\ndata: {oops\n\n"),
    "an event that is none": sends(opened("whsec_1"), 'id: 1\ndata: {"headers":{},"body":"[]"}\n\n'),
    "a frame without an end": sends("x".repeat(1_000_001)),
  };
  for (const [name, other] of Object.entries(others)) {
    const { waypost, seen } = await setUp(t, {}, other);
    await assert.rejects(waypost.events.stream().next(), { code: "unexpected_answer", retryable: false }, name);
    assert.equal(seen.length, 1, name);
  }

  const { waypost, seen } = await setUp(t, {}, sends(opened("whsec_1")), page);
  await assert.rejects(waypost.events.stream().next(), { code: "unexpected_answer" });
  assert.equal(seen.length, 2);
});
