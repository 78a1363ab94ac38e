import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../../test/database-door.ts";
import { aPlace } from "../../../test/place.ts";
import { playedSource, startScrapes, steadySource } from "../../../test/scrapes.ts";
import { uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { simulatedBusiness } from "../businesses/index.ts";
import { onlySource } from "../../sources/selection.ts";
import { claimDue, updateCollected } from "./queue/store.ts";
import { lossesMax } from "./scrape.ts";

test("a job whose worker was lost is run by another, and what the lost one brings late counts for nothing", async (t) => {
  const [lost, found] = [playedSource(), playedSource()];
  const api = await startScrapes(t, { source: lost.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  // Its heartbeat is slower than this test, so that to everyone else it looks dead; it has no room to claim the job again.
  const writing = Promise.withResolvers<void>();
  const loser = api.givenWorker({
    sources: onlySource(lost.source),
    atOnceMax: 1,
    leaseSeconds: 120,
    businesses: {
      asRequestedByOwners: async (listings) => listings,
      identify: async (_tx, _source, listings) => {
        writing.resolve();
        return listings.map(simulatedBusiness);
      },
    },
  });
  const first = await lost.called(1);

  await api.age(id, 121);
  api.givenWorker({ sources: onlySource(found.source) });
  const second = await found.called(1);
  first.answer.resolve([aPlace({ name: "Too late" })]);
  await writing.promise;
  await loser.stop();
  const between = (await api.results(key, id)).body["data"];
  second.answer.resolve([aPlace({ name: "In time" })]);
  const job = await api.ended(key, id);

  assert.equal(between.job_status, "running");
  assert.deepEqual(between.records, []);
  assert.equal(job.status, "succeeded");
  const { records } = (await api.results(key, id)).body["data"];
  assert.deepEqual(
    records.map((record: any) => record.place.name),
    ["In time"],
  );
  assert.deepEqual(
    (await api.eventsOf(id)).map(({ type }) => type),
    ["scrape.started", "scrape.completed"],
  );
});

test("two workers share the jobs and run each once", async (t) => {
  const calls = new Map<string, number>();
  const source = {
    ...steadySource(),
    async search({ q }: { q: string }) {
      calls.set(q, (calls.get(q) ?? 0) + 1);
      return { listings: [aPlace()], verdict: "ok" as const };
    },
  };
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker({ atOnceMax: 4 });
  api.givenWorker({ atOnceMax: 4 });

  const jobs = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => (await api.create(key, { q: `query ${index}` })).body["data"].id),
  );
  const ends = await Promise.all(jobs.map((id) => api.ended(key, id)));

  assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(["succeeded"]));
  assert.deepEqual(new Set(calls.values()), new Set([1]));
  assert.equal(calls.size, 40);
});

test("a lease is renewed for as long as the work takes", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker({ leaseSeconds: 1 });
  const { id } = (await api.create(key)).body["data"];
  const { answer } = await played.called(1);
  const first = await leaseOf(id);

  while ((await leaseOf(id)) - first < 2_000) await sleep(50);
  answer.resolve([aPlace()]);
  const job = await api.ended(key, id);

  assert.equal(job.status, "succeeded");
  assert.equal(played.calls.length, 1);

  async function leaseOf(jobId: string): Promise<number> {
    const { rows } = await api.db.query<{ until: Date }>(sql`
      select lease_until as until from scrapes where id = ${uuidFromId("job", jobId)}
    `);
    return rows[0]?.until.getTime() ?? 0;
  }
});

test("a job that loses its worker every time fails as worker_lost, and does not hold up others", async (t) => {
  const api = await startScrapes(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const poisoned = (await api.create(key)).body["data"].id;
  const healthy = (await api.create(key)).body["data"].id;
  // As the last of its workers left it.
  await api.db.query(sql`
    update scrapes
    set status = 'running', started_at = now(), losses = ${lossesMax - 1}, lease_until = now() - interval '1 second'
    where id = ${uuidFromId("job", poisoned)}
  `);

  api.givenWorker();
  const [lost, job] = [await api.ended(key, poisoned), await api.ended(key, healthy)];

  assert.equal(lost.status, "failed");
  assert.equal(lost.error_code, "worker_lost");
  assert.equal((await api.eventsOf(poisoned)).at(-1)?.body.data.error_class, "worker_lost");
  assert.equal(job.status, "succeeded");
});

test("jobs that lost a worker together with the one it died of do not share its end", async (t) => {
  const api = await startScrapes(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await api.create(key)).body["data"].id));
  const poisoned = ids[5];

  // One worker after the other, each of which dies of the poisoned job with all that it holds.
  for (let workers = 0; workers < 40; workers += 1) {
    await Promise.all(ids.map((id) => api.age(id, 60)));
    const claimed = await claimDue(api.db, "live", {
      isLocal: false,
      limit: 100,
      leaseSeconds: 10,
      withQuarantined: true,
    });
    const running = claimed.filter(({ status }) => status === "running");
    if (running.some(({ id }) => id === poisoned)) continue;
    const collected = { records: [], status: "succeeded", errorCode: null, queryReading: null } as const;
    await updateCollected(
      api.db,
      running.map((lease) => ({ lease, collected })),
    );
  }

  const ends = await Promise.all(ids.map(async (id) => (await api.read(key, id)).body["data"]));
  for (const { id, status, error_code: code } of ends) {
    assert.deepEqual([status, code], id === poisoned ? ["failed", "worker_lost"] : ["succeeded", undefined]);
  }
});

test("jobs that keep losing their workers run one at a time, and others beside them", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const queries = ["first", "second", "third"];
  const quarantined = await Promise.all(queries.map(async (q) => (await api.create(key, { q })).body["data"].id));
  await api.db.query(sql`
    update scrapes
    set status = 'running', started_at = now(), losses = 2, lease_until = now() - interval '1 second'
    where id = any(${quarantined.map((id) => uuidFromId("job", id))}::uuid[])
  `);
  const healthy = (await api.create(key, { q: "healthy" })).body["data"].id;

  api.givenWorker();
  const pair = [await played.called(1), await played.called(2)];
  assert.equal(pair.filter(({ query }) => query.q === "healthy").length, 1);
  // The worker claims again for this one, and could claim another quarantined job with it.
  const late = (await api.create(key, { q: "late" })).body["data"].id;
  assert.equal((await played.called(3)).query.q, "late");

  for (let number = 1; number <= 5; number += 1) (await played.called(number)).answer.resolve([aPlace()]);
  for (const id of [...quarantined, healthy, late]) assert.equal((await api.ended(key, id)).status, "succeeded");
});

test("a write that the database's end cuts off is written again, and the source is not asked again", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  let writes = 0;
  api.givenWorker({
    businesses: {
      asRequestedByOwners: async (listings) => listings,
      identify: async (tx, _source, listings) => {
        writes += 1;
        const { rows } = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        if (writes === 1) await api.db.query(sql`select pg_terminate_backend(${rows[0]?.pid}::int, 5000)`);
        return listings.map(simulatedBusiness);
      },
    },
  });
  const { id } = (await api.create(key)).body["data"];
  (await played.called(1)).answer.resolve([aPlace()]);

  const job = await api.ended(key, id);

  assert.equal(job.status, "succeeded");
  assert.deepEqual([writes, played.calls.length], [2, 1]);
  assert.equal((await api.results(key, id)).body["data"].records.length, 1);
});

test("a worker that is stopped hands its jobs back at no cost to them", async (t) => {
  const [first, second] = [playedSource(), playedSource()];
  const api = await startScrapes(t, { source: first.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const worker = api.givenWorker({ sources: onlySource(first.source) });
  const { id } = (await api.create(key)).body["data"];
  const { signal } = await first.called(1);

  await worker.stop();
  assert.ok(signal.aborted);
  const { rows } = await api.db.query(sql`
    select status, attempt, lease_until from scrapes where id = ${uuidFromId("job", id)}
  `);
  assert.deepEqual(rows, [{ status: "running", attempt: 0, lease_until: null }]);
  api.givenWorker({ sources: onlySource(second.source) });
  (await second.called(1)).answer.resolve([aPlace()]);

  assert.equal((await api.ended(key, id)).status, "succeeded");
});

test("a worker that is stopped while it claims hands back what it gets", async (t) => {
  const api = await startScrapes(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];

  const stopped = await api.db.transaction(async (tx) => {
    await tx.query(sql`lock table webhook_events in exclusive mode`); // a claim writes an event
    const worker = api.givenWorker();
    await until(isSomebodyWaiting);
    return { all: worker.stop() };
  });
  await stopped.all;

  const { rows } = await api.db.query(sql`
    select status, attempt, lease_until from scrapes where id = ${uuidFromId("job", id)}
  `);
  assert.deepEqual(rows, [{ status: "running", attempt: 0, lease_until: null }]);

  async function isSomebodyWaiting(): Promise<boolean> {
    const { rows: waiting } = await api.db.query(sql`
      select pid from pg_locks where relation = 'webhook_events'::regclass and not granted
    `);
    return waiting.length > 0;
  }
});

test("an attempt that is repeated adds only what it has not stored yet", async (t) => {
  const [early, late] = [aPlace({ name: "Early" }), aPlace({ name: "Late", website: "https://late.example/" })];
  const reached = Promise.withResolvers<void>();
  let looks = 0;
  const api = await startScrapes(t, {
    source: steadySource([early, late]),
    enrichment: {
      async enrich(_website, signal) {
        looks += 1;
        reached.resolve();
        if (looks === 1)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        return { state: "done", contacts: [], checkedAt: new Date().toISOString() };
      },
    },
  });
  const { text: key } = await api.givenKey({ environment: "live" });
  const worker = api.givenWorker();
  const { id } = (await api.create(key, { extra: true })).body["data"];
  await reached.promise;
  await api.stored(key, id, 1);
  const before = (await api.results(key, id)).body["data"];
  await worker.stop();

  api.givenWorker();
  const job = await api.ended(key, id);

  const after = (await api.results(key, id)).body["data"];
  assert.equal(job.status, "succeeded");
  assert.deepEqual(
    before.records.map((record: any) => record.place.name),
    ["Early"],
  );
  assert.deepEqual(
    after.records.map((record: any) => record.place.name),
    ["Early", "Late"],
  );
  assert.deepEqual(after.records[0], before.records[0]);
});
