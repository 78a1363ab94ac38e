import assert from "node:assert/strict";
import { test } from "node:test";
import { createOutbound, OutboundFailure, type Outbound } from "../../../platform/net/outbound.ts";
import { answering, makeCertificates, openReceiver } from "../../../../test/webhook-receiver.ts";
import { startWebhooks, type WebhookTest } from "../../../../test/webhooks.ts";
import { retryAfterMs, retryDelayMs } from "../deliveries/schedule.ts";

const minute = 60_000;
const hour = 60 * minute;
const delays = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour];

/** Moves the clock to when the next attempt of the latest delivery is due; resolves to how far that was. */
async function toNextAttempt({ clock, deliveries }: WebhookTest, endpointId: string): Promise<number> {
  const [{ next_attempt_at: next }] = await deliveries(endpointId);
  const wait = new Date(next).getTime() - clock.now().getTime();
  clock.advance(wait);
  return wait;
}

for (const { random, factor, named } of [
  { random: 0, factor: 1, named: "the documented times" },
  { random: 1, factor: 0.9, named: "a tenth before the documented times" },
]) {
  test(`seven attempts are made, at ${named}`, async (t) => {
    const started = await startWebhooks(t, { random: () => random, answer: answering(500) });
    const { dispatcher, clock, receiver, deliveries, givenEndpoint, givenEvent } = started;
    const { id, uuid } = await givenEndpoint();
    await givenEvent(uuid);

    await dispatcher.drain();
    for (const [index, delay] of delays.entries()) {
      assert.equal(receiver.received.length, index + 1);
      assert.equal(await toNextAttempt(started, id), Math.round(delay * factor));
      clock.advance(-1);
      await dispatcher.drain();
      assert.equal(receiver.received.length, index + 1, "an attempt came early");
      clock.advance(1);
      await dispatcher.drain();
    }

    assert.deepEqual(
      receiver.received.map(({ headers }) => headers["x-svc-delivery-attempt"]),
      ["1", "2", "3", "4", "5", "6", "7"],
    );
    assert.ok(receiver.received.every(({ raw }) => raw.equals(receiver.received[0]?.raw ?? Buffer.alloc(0))));
    const [delivery] = await deliveries(id);
    assert.equal(delivery.status, "failed");
    assert.equal(delivery.attempt_count, 7);
    assert.equal(delivery.next_attempt_at, null);
    clock.advance(365 * 24 * hour);
    await dispatcher.drain();
    assert.equal(receiver.received.length, 7);
  });
}

test("the wait lies within a tenth below the documented one, whatever chance says", () => {
  for (const [index, delay] of delays.entries()) {
    for (let random = 0; random <= 1; random += 0.05) {
      const wait = retryDelayMs(index + 1, random, undefined) ?? Number.NaN;
      assert.ok(wait >= 0.9 * delay && wait <= delay);
    }
  }
  assert.equal(retryDelayMs(7, 0, undefined), undefined);
});

test("Retry-After is read as seconds or as a date, and as nothing else", () => {
  const now = new Date("2026-09-22T12:00:00Z");
  assert.equal(retryAfterMs("120", now), 120_000);
  assert.equal(retryAfterMs(" 120 ", now), 120_000);
  assert.equal(retryAfterMs("Tue, 22 Sep 2026 12:01:00 GMT", now), 60_000);
  for (const bad of [undefined, "", "0", "-5", "1.5e3", "soon", "Tue, 22 Sep 2026 11:59:00 GMT", "9".repeat(30)]) {
    assert.equal(retryAfterMs(bad, now), undefined, String(bad));
  }
});

for (const { status, header, expected } of [
  { status: 429, header: "90", expected: 90_000 },
  { status: 503, header: "90", expected: 90_000 },
  { status: 429, header: "120", expected: 120_000 },
  { status: 503, header: "121", expected: 120_000 },
  { status: 429, header: "86400", expected: 120_000 },
  { status: 429, header: "5", expected: 60_000 },
  { status: 500, header: "90", expected: 60_000 },
  { status: 302, header: "90", expected: 60_000 },
]) {
  test(`Retry-After ${header} with ${status} makes the first wait ${expected / 1000} s`, async (t) => {
    const started = await startWebhooks(t, { random: () => 0, answer: answering(status, { "Retry-After": header }) });
    const { dispatcher, givenEndpoint, givenEvent } = started;
    const { id, uuid } = await givenEndpoint();
    await givenEvent(uuid);

    await dispatcher.drain();

    assert.equal(await toNextAttempt(started, id), expected);
  });
}

test("a receiver that is silent, slow, or cuts the connection uses up an attempt each time", async (t) => {
  const started = await startWebhooks(t, { limits: { deadlineMs: 300 } });
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  const answers = {
    timed_out: () => undefined,
    reset: (_call: unknown, response: { destroy(): void }) => response.destroy(),
  };

  for (const [error, answer] of Object.entries(answers)) {
    receiver.answer = answer;
    await givenEvent(uuid);
    await dispatcher.drain();
    const [{ attempts, attempt_count: count }] = await deliveries(id);
    assert.equal(count, 1);
    assert.deepEqual([attempts[0].error, attempts[0].http_status, attempts[0].response], [error, null, null]);
  }
});

test("a certificate that nobody vouches for, and a closed port, are failures of the receiver", async (t) => {
  const stranger = await openReceiver(await makeCertificates());
  t.after(() => stranger.close());
  const started = await startWebhooks(t, { ports: [stranger.port] });
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const targets = { tls_failed: stranger.url, connect_failed: receiver.url.replace("127.0.0.1", "127.0.0.2") };

  for (const [error, url] of Object.entries(targets)) {
    const { id, uuid } = await givenEndpoint({ url });
    await givenEvent(uuid);
    await dispatcher.drain();
    const [{ attempts, attempt_count: count }] = await deliveries(id);
    assert.deepEqual([count, attempts[0].error], [1, error]);
  }
  assert.equal(stranger.received.length, 0);
});

/** An outbound module that fails in a way of the test's choosing. */
function failingOutbound(fails: () => Error | undefined): Outbound {
  const real = createOutbound({ allow: ["127.0.0.0/8"] });
  return {
    ...real,
    request: async (request) => {
      const failure = fails();
      if (failure) throw failure;
      return real.request(request);
    },
  };
}

test("a fault of ours uses up no attempt, however often it comes", async (t) => {
  let failure: Error | undefined = new OutboundFailure("resolver_failed");
  const started = await startWebhooks(t, { outbound: failingOutbound(() => failure) });
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);

  for (let count = 0; count < 12; count += 1) {
    await dispatcher.drain();
    assert.ok((await toNextAttempt(started, id)) <= 5 * minute);
  }
  failure = new TypeError("something of ours broke");
  await dispatcher.drain();
  await toNextAttempt(started, id);
  const [waiting] = await deliveries(id);
  failure = undefined;
  await dispatcher.drain();

  assert.equal(waiting.attempt_count, 0);
  assert.deepEqual(waiting.attempts, []);
  assert.equal(receiver.received[0]?.headers["x-svc-delivery-attempt"], "1");
  assert.equal((await deliveries(id))[0].status, "delivered");
});

test("a resend long after the schedule's end outlasts a fault of ours too", async (t) => {
  let failure: Error | undefined;
  const started = await startWebhooks(t, { outbound: failingOutbound(() => failure) });
  const { send, dispatcher, clock, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  await dispatcher.drain();
  const [delivered] = await deliveries(id);

  clock.advance(10 * 24 * hour);
  await send("POST", `/webhook-deliveries/${delivered.id}/resend`);
  failure = new OutboundFailure("resolver_failed");
  await dispatcher.drain();
  failure = undefined;
  await toNextAttempt(started, id);
  await dispatcher.drain();

  assert.equal(receiver.received.length, 2);
  const [resent] = await deliveries(id);
  assert.deepEqual([resent.status, resent.next_attempt_at], ["delivered", null]);
  assert.deepEqual(
    resent.attempts.map(({ resend }: { resend: boolean }) => resend),
    [false, true],
  );
});

test("a name server that stays silent until the deadline uses up no attempt", async (t) => {
  let isSilent = false;
  const outbound = createOutbound({
    allow: ["127.0.0.0/8"],
    lookup: async () => (isSilent ? new Promise<never>(() => {}) : ["127.0.0.1"]),
  });
  const started = await startWebhooks(t, { outbound, limits: { deadlineMs: 100 } });
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint({ url: receiver.url.replace("127.0.0.1", "receiver.test") });
  await givenEvent(uuid);
  isSilent = true;

  await dispatcher.drain();
  const [waiting] = await deliveries(id);

  assert.deepEqual([waiting.status, waiting.attempt_count, waiting.attempts], ["pending", 0, []]);
});

test("faults of ours end a delivery only a day after its schedule would have ended", async (t) => {
  const started = await startWebhooks(t, { outbound: failingOutbound(() => new OutboundFailure("resolver_failed")) });
  const { dispatcher, clock, deliveries, givenEndpoint, givenEvent, endpoint } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const scheduleMs = delays.reduce((sum, delay) => sum + delay, 0);

  clock.advance(scheduleMs + 24 * hour - 1);
  await dispatcher.drain();
  assert.equal((await deliveries(id))[0].status, "pending");
  await toNextAttempt(started, id);
  await dispatcher.drain();

  assert.equal((await deliveries(id))[0].status, "terminated");
  assert.equal((await endpoint(id)).warned_at, null);
});
