import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { aPlace } from "../../../test/place.ts";
import { playedSource, startScrapes } from "../../../test/scrapes.ts";
import { newUuid } from "../../platform/ids.ts";
import { simulatedBusiness } from "../businesses/index.ts";

test("a queued job is canceled at once and never runs; its unit stays charged", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];

  const { status, body } = await api.cancel(key, id);
  api.givenWorker();
  const other = (await api.create(key)).body["data"].id;
  (await played.called(1)).answer.resolve([]);
  await api.ended(key, other);

  assert.equal(status, 200);
  assert.equal(body["data"].status, "canceled");
  assert.ok(!("error_code" in body["data"]));
  assert.equal(played.calls.length, 1);
  assert.equal((await api.billing.balance(organizationId)).used, 2);
  assert.deepEqual(
    (await api.eventsOf(id)).map(({ type }) => type),
    ["scrape.canceled"],
  );
});

test("canceling a running job aborts its worker", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { id } = (await api.create(key)).body["data"];
  const { signal } = await played.called(1);

  const { body } = await api.cancel(key, id);
  if (!signal.aborted) await once(signal, "abort", { signal: AbortSignal.timeout(20_000) });

  assert.equal(body["data"].status, "canceled");
  assert.deepEqual(
    (await api.eventsOf(id)).map(({ type }) => type),
    ["scrape.started", "scrape.canceled"],
  );
});

test("what a worker brings after the cancellation is discarded", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const [writing, canceled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const worker = api.givenWorker({
    businesses: {
      asRequestedByOwners: async (listings) => listings,
      async identify(_tx, _source, listings) {
        writing.resolve();
        await canceled.promise;
        return listings.map(simulatedBusiness);
      },
    },
  });
  const { id } = (await api.create(key)).body["data"];
  (await played.called(1)).answer.resolve([aPlace()]);
  await writing.promise;

  const { status } = await api.cancel(key, id);
  canceled.resolve();
  await worker.stop();

  assert.equal(status, 200);
  const { data } = (await api.results(key, id)).body;
  assert.deepEqual([data.records, data.job_status, data.next_cursor], [[], "canceled", null]);
  assert.deepEqual(
    (await api.eventsOf(id)).map(({ type }) => type),
    ["scrape.started", "scrape.canceled"],
  );
});

test("a finished job stays finished when it is canceled", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { id } = (await api.create(key)).body["data"];
  (await played.called(1)).answer.resolve([aPlace()]);
  await api.ended(key, id);

  const { status, body } = await api.cancel(key, id);

  assert.equal(status, 200);
  assert.equal(body["data"].status, "succeeded");
  assert.equal((await api.eventsOf(id)).length, 2);
});

test("canceling again changes nothing, and the same key is called a replay", async (t) => {
  const api = await startScrapes(t, { source: playedSource().source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  const idempotencyKey = newUuid();

  const first = await api.cancel(key, id, idempotencyKey);
  const twin = await api.cancel(key, id, idempotencyKey);
  const again = await api.cancel(key, id);

  assert.deepEqual(
    [first, twin, again].map(({ headers }) => headers.get("idempotent-replayed")),
    [null, "true", null],
  );
  assert.deepEqual(twin.body["data"], first.body["data"]);
  assert.deepEqual(again.body["data"], first.body["data"]);
  assert.equal((await api.eventsOf(id)).length, 1);
});

test("a cancellation that finds no job keeps no key", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const { text: stranger } = await api.givenKey();
  const { id } = (await api.create(key)).body["data"];
  const idempotencyKey = newUuid();

  const answers = [await api.cancel(stranger, id, idempotencyKey), await api.cancel(stranger, id, idempotencyKey)];

  for (const { status, headers } of answers) {
    assert.equal(status, 404);
    assert.equal(headers.get("idempotent-replayed"), null);
  }
});

test("a cancellation needs a key and takes no body, whatever its content type says", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const { id } = (await api.create(key)).body["data"];
  const path = `/api/v1/scrapes/${id}/cancel`;
  const headers = { "Idempotency-Key": newUuid() };
  const json = { "Content-Type": "application/json" };

  const answers = [
    await api.call(path, { key, method: "POST" }),
    await api.call(path, { key, method: "POST", headers: { "Idempotency-Key": "k".repeat(15) } }),
    await api.call(path, { key, headers, json: {} }),
    await api.call(path, { key, method: "POST", headers: { ...headers, ...json } }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 200],
  );
});
