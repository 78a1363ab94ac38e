import assert from "node:assert/strict";
import { test } from "node:test";
import { aPlace } from "../../../test/place.ts";
import { playedSource, startScrapes, steadySource } from "../../../test/scrapes.ts";
import { newUuid } from "../../platform/ids.ts";

test("a job that ends within the wait is answered whole, with 200", async (t) => {
  const api = await startScrapes(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const headers = { "Idempotency-Key": newUuid() };

  const waited = await api.create(key, {}, { ...headers, Prefer: "wait=20" });
  const replay = await api.create(key, {}, headers);

  assert.equal(waited.status, 200);
  assert.equal(waited.body["data"].status, "succeeded");
  assert.equal(waited.headers.get("preference-applied"), "wait=20");
  assert.equal(waited.headers.get("location"), null);
  assert.equal(waited.headers.get("x-svc-units-charged"), "1");
  assert.equal(replay.status, 200);
  assert.equal(replay.headers.get("preference-applied"), null);
});

test("a job that does not end within the wait is answered with 202, and goes on", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { status, headers, body } = await api.create(key, {}, { Prefer: "respond-async, wait=1" });
  (await played.called(1)).answer.resolve([aPlace()]);

  assert.equal(status, 202);
  assert.equal(body["data"].status, "running");
  assert.equal(headers.get("preference-applied"), "wait=1");
  assert.equal(headers.get("location"), body["data"].links.self);
  assert.equal(headers.get("retry-after"), "1");
  assert.equal((await api.ended(key, body["data"].id)).status, "succeeded");
});

test("a replay waits for the end as well, and keeps the status of the first answer", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const headers = { "Idempotency-Key": newUuid() };
  await api.create(key, {}, headers);
  const { answer } = await played.called(1);

  const waiting = api.create(key, {}, { ...headers, Prefer: "wait=20" });
  answer.resolve([aPlace()]);
  const { status, headers: answered, body } = await waiting;
  const later = await api.create(key, {}, { ...headers, Prefer: "wait=20" });

  assert.equal(body["data"].status, "succeeded");
  assert.equal(answered.get("preference-applied"), "wait=20");
  assert.equal(later.headers.get("location"), body["data"].links.self);
  assert.deepEqual([status, later.status], [202, 202]);
});

test("a cancellation ends the wait", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const waiting = api.create(key, {}, { Prefer: "wait=20" });
  await played.called(1);
  const [{ id }] = (await api.call("/api/v1/scrapes", { key })).body["data"];
  await api.cancel(key, id);
  const { status, body } = await waiting;

  assert.equal(status, 200);
  assert.equal(body["data"].status, "canceled");
});

test("more callers wait than there are connections to the database", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker({ atOnceMax: 40 });

  const waiting = Array.from({ length: 40 }, () => api.create(key, {}, { Prefer: "wait=25" }));
  for (let number = 1; number <= 40; number += 1) await played.called(number);
  const meanwhile = await api.call("/api/v1/scrapes", { key });
  for (const { answer } of played.calls) answer.resolve([]);
  const answers = await Promise.all(waiting);

  assert.equal(meanwhile.status, 200);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});

test("a client that goes away while it waits does not stop the job", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const leaving = new AbortController();
  const waiting = fetch(`${api.address}/api/v1/scrapes`, {
    method: "POST",
    headers: {
      "API-KEY": key,
      "Content-Type": "application/json",
      "Idempotency-Key": newUuid(),
      Prefer: "wait=25",
    },
    body: JSON.stringify({ operation: "places.search", input: { q: "coffee" } }),
    signal: leaving.signal,
  });
  const { answer, signal } = await played.called(1);

  leaving.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  answer.resolve([aPlace()]);

  const [{ id }] = (await api.call("/api/v1/scrapes", { key })).body["data"];
  assert.equal((await api.ended(key, id)).status, "succeeded");
  assert.ok(!signal.aborted);
});

for (const [prefer, expected] of [
  ["wait=1", "wait=1"],
  ["wait=25", "wait=25"],
  ['WAIT="5"', "wait=5"],
  ["handling=lenient; foo=bar, wait=3;x=y", "wait=3"],
  ["wait=2, wait=99", "wait=2"],
  ['note="one, wait=99", wait=4', "wait=4"],
  ['note="a \\" b, wait=99"', null],
  ["respond-async", null],
  ["waiting=99", null],
] as const) {
  test(`Prefer: ${prefer} is honored as ${expected ?? "no wait"}`, async (t) => {
    const api = await startScrapes(t);
    const { text: key } = await api.givenKey();

    const { status, headers } = await api.create(key, {}, { Prefer: prefer });

    assert.equal(status, 200);
    assert.equal(headers.get("preference-applied"), expected);
  });
}

for (const prefer of [
  "wait=0",
  "wait=26",
  "wait=-1",
  "wait=1.5",
  "wait=",
  "wait",
  "wait=ten",
  "wait=1e1",
  "wait=100",
]) {
  test(`Prefer: ${prefer} is refused`, async (t) => {
    const api = await startScrapes(t);
    const { text: key } = await api.givenKey();

    const { status, body } = await api.create(key, {}, { Prefer: prefer });

    assert.equal(status, 400);
    assert.deepEqual(body["error"].details, ["header /prefer: wait must be a whole number from 1 to 25"]);
  });
}
