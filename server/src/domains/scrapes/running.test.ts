import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { aPlace } from "../../../test/place.ts";
import { playedSource, startScrapes, steadySource } from "../../../test/scrapes.ts";
import { uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type Source, SourceFailure } from "../../sources/source.ts";
import type { EnrichmentResult } from "../enrichment/index.ts";
import { attemptsMax } from "./scrape.ts";

const types = (events: { type: string }[]) => events.map(({ type }) => type);

test("a worker collects a live job, and tells of its start and its end", async (t) => {
  const listings = [aPlace({ name: "Café" }), aPlace({ name: "Bar" })];
  const api = await startScrapes(t, { source: steadySource(listings) });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.create(key);
  const { id } = body["data"];
  const job = await api.ended(key, id);

  assert.equal(job.status, "succeeded");
  assert.deepEqual(job.progress, { completed_queries: 1, total_queries: 1 });
  assert.ok(!("error_code" in job));
  const { body: read } = await api.results(key, id);
  assert.deepEqual(
    read["data"].records.map(({ place }: { place: { name: string } }) => place.name),
    ["Café", "Bar"],
  );
  const events = await api.eventsOf(id);
  assert.deepEqual(types(events), ["scrape.started", "scrape.completed"]);
  const { version, ...data } = events[1]?.body.data ?? {};
  assert.match(version, /Z$/);
  assert.deepEqual(data, {
    job_id: id,
    operation: "places.search",
    status: "succeeded",
    progress: { completed_queries: 1, total_queries: 1 },
    result_count: 2,
    error_class: null,
    sequence: 2,
  });
  assert.equal(events[1]?.body.request_id, body["request_id"]);
  assert.equal(events[1]?.body.organization_id, organizationId);
});

test("a job shows how its question was read once it was read", async (t) => {
  const reading = 'Cafe; not understood: "flummery"';
  const source: Source = { name: "reading", search: async () => ({ listings: [], verdict: "empty", reading }) };
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });

  const { id } = (await api.create(key)).body["data"];
  const before = (await api.read(key, id)).body["data"];
  api.givenWorker();
  const job = await api.ended(key, id);

  assert.equal(before.query_reading, null);
  assert.deepEqual([job.status, job.result_count, job.query_reading], ["succeeded", 0, reading]);
  assert.deepEqual((await api.call("/api/v1/scrapes", { key })).body["data"], [job]);
});

test("an empty page is a success with nothing in it", async (t) => {
  const api = await startScrapes(t, { source: steadySource([]) });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { id } = (await api.create(key)).body["data"];
  const job = await api.ended(key, id);

  assert.equal(job.status, "succeeded");
  assert.deepEqual((await api.results(key, id)).body["data"].records, []);
});

test("a page that the source trimmed makes a partial job that says so", async (t) => {
  const source: Source = { name: "trimming", search: async () => ({ listings: [aPlace()], verdict: "trimmed" }) };
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { id } = (await api.create(key)).body["data"];
  const job = await api.ended(key, id);

  assert.equal(job.status, "partial");
  assert.equal(job.error_code, "source_failed");
  const { body } = await api.results(key, id);
  assert.equal(body["data"].records.length, 1);
  assert.equal(body["data"].is_complete, false);
  assert.deepEqual(types(await api.eventsOf(id)), ["scrape.started", "scrape.completed"]);
});

test("a source that gives up fails the job with its code", async (t) => {
  const api = await startScrapes(t, { source: failingSource("give_up") });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { id } = (await api.create(key)).body["data"];
  const job = await api.ended(key, id);

  assert.equal(job.status, "failed");
  assert.equal(job.error_code, "source_failed");
  const [, failed] = await api.eventsOf(id);
  assert.equal(failed?.type, "scrape.failed");
  assert.equal(failed?.body.data.error_class, "source_failed");
  assert.equal((await api.billing.balance(organizationId)).used, 1);
});

test("a source that may work later costs an attempt each time, and fails the job with the last", async (t) => {
  const source = failingSource("try_again");
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  api.givenWorker();

  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    await rowOf(id, (row) => row.attempt === attempt && row.lease_until === null);
    assert.ok((await rowOf(id)).run_at > new Date(), "the next attempt is put off");
    await api.age(id, 60);
  }
  const job = await api.ended(key, id);

  assert.equal(job.status, "failed");
  assert.equal(job.error_code, "source_failed");
  assert.equal(source.calls, attemptsMax);
  assert.deepEqual(types(await api.eventsOf(id)), ["scrape.started", "scrape.failed"]);

  async function rowOf(jobId: string, isWanted: (row: Row) => boolean = () => true): Promise<Row> {
    return waitForRow(api, jobId, isWanted);
  }
});

test("a source that asks to slow down is left alone as long as it says, at no cost", async (t) => {
  let calls = 0;
  const source: Source = {
    name: "tired",
    async search() {
      calls += 1;
      if (calls > attemptsMax + 1) return { listings: [aPlace()], verdict: "ok" };
      throw new SourceFailure("slow_down", "source_unavailable", "busy", { retryAfterSeconds: 120 });
    },
  };
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  api.givenWorker();

  for (let turn = 1; turn <= attemptsMax + 1; turn += 1) {
    const row = await waitForRow(api, id, ({ lease_until, run_at, lease_token }) => {
      return lease_until === null && lease_token === turn * 2 && run_at > new Date();
    });
    assert.ok(row.run_at.getTime() - Date.now() > 110_000);
    assert.equal(row.attempt, 0);
    await api.age(id, 121);
  }

  assert.equal((await api.ended(key, id)).status, "succeeded");
});

test("patience with a busy source ends an hour after the start", async (t) => {
  const api = await startScrapes(t, { source: failingSource("slow_down") });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  await api.db.query(
    sql`update scrapes set started_at = now() - interval '61 minutes' where id = ${uuidFromId("job", id)}`,
  );

  api.givenWorker();
  const job = await api.ended(key, id);

  assert.equal(job.status, "failed");
  assert.equal(job.error_code, "source_failed");
});

test("a worker whose clock is ahead has the same patience with a busy source", async (t) => {
  const api = await startScrapes(t, { source: failingSource("slow_down") });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 5 * 3_600_000 });

  api.givenWorker();
  const row = await waitForRow(api, id, ({ lease_until, lease_token }) => lease_until === null && lease_token > 0);

  assert.equal(row.attempt, 0);
});

test("a fault of ours is tried again, and is called internal_error when it stays", async (t) => {
  const source: Source = { name: "broken", search: () => Promise.reject(new TypeError("undefined is not a page")) };
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  await api.db.query(sql`update scrapes set attempt = ${attemptsMax - 1} where id = ${uuidFromId("job", id)}`);

  api.givenWorker();
  const job = await api.ended(key, id);

  assert.equal(job.status, "failed");
  assert.equal(job.error_code, "internal_error");
});

test("results are stored as contacts are found, readable meanwhile, and told of once a second at most", async (t) => {
  const sites = Array.from({ length: 4 }, (_, index) => `https://place-${index}.example/`);
  const gates = new Map(sites.map((site) => [site, Promise.withResolvers<EnrichmentResult["state"]>()]));
  const api = await startScrapes(t, {
    source: steadySource(sites.map((website) => aPlace({ website, name: website }))),
    enrichment: {
      async enrich(website) {
        const state = (await gates.get(website)?.promise) ?? "failed";
        return { state, contacts: [], checkedAt: new Date().toISOString() };
      },
    },
  });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { id } = (await api.create(key, { extra: true })).body["data"];
  for (const site of sites.slice(0, 3)) gates.get(site)?.resolve("done");
  const names = await api.stored(key, id, 3);
  const running = (await api.results(key, id)).body["data"];
  gates.get(sites[3] ?? "")?.resolve("timed_out");
  const job = await api.ended(key, id);

  assert.deepEqual(names.sort(), sites.slice(0, 3));
  assert.equal(running.job_status, "running");
  assert.equal(running.is_complete, false);
  assert.notEqual(running.next_cursor, null);
  assert.equal(job.status, "partial");
  assert.equal(job.error_code, "source_timeout");
  assert.equal((await api.results(key, id)).body["data"].records.length, 4);
  const told = types(await api.eventsOf(id));
  assert.equal(told[0], "scrape.started");
  assert.equal(told[1], "scrape.progress");
  assert.equal(told.at(-1), "scrape.completed");
  assert.ok(told.length < 5, "three pieces within a second are one progress event");
});

test("results that grow inside a second are reported at its end, while the job runs on", async (t) => {
  const sites = Array.from({ length: 4 }, (_, index) => `https://slow-${index}.example/`);
  const gates = new Map(sites.map((site) => [site, Promise.withResolvers<EnrichmentResult["state"]>()]));
  const api = await startScrapes(t, {
    source: steadySource(sites.map((website) => aPlace({ website, name: website }))),
    enrichment: {
      async enrich(website) {
        const state = (await gates.get(website)?.promise) ?? "failed";
        return { state, contacts: [], checkedAt: new Date().toISOString() };
      },
    },
  });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { id } = (await api.create(key, { extra: true })).body["data"];
  const reported = async () =>
    (await api.eventsOf(id))
      .filter(({ type }) => type === "scrape.progress")
      .map(({ body }) => Number(body.data.result_count));

  for (const site of sites.slice(0, 3)) gates.get(site)?.resolve("done");
  await api.stored(key, id, 3);
  let counts = await reported();
  for (let left = 500; counts.at(-1) !== 3 && left > 0; left -= 1) {
    await sleep(20);
    counts = await reported();
  }
  const running = (await api.read(key, id)).body["data"];
  gates.get(sites[3] ?? "")?.resolve("done");
  await api.ended(key, id);

  assert.equal(running.status, "running");
  assert.equal(running.result_count, 3);
  assert.equal(counts.at(-1), 3);
  assert.deepEqual(
    counts,
    [...new Set(counts)].sort((a, b) => a - b),
    "each event reports more than the one before",
  );
});

test("a job that waits for its source says when it is tried next", async (t) => {
  const source = failingSource("slow_down");
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { id } = (await api.create(key)).body["data"];
  const waiting = await api.until(key, id, ({ next_attempt_at }) => next_attempt_at !== null);
  await api.cancel(key, id);
  const { body } = await api.read(key, id);

  assert.equal(waiting.status, "running");
  assert.ok(Date.parse(waiting.next_attempt_at) > Date.parse(waiting.started_at));
  assert.equal(waiting.finished_at, null);
  assert.equal(body["data"].next_attempt_at, null);
  assert.ok(Date.parse(body["data"].finished_at) >= Date.parse(waiting.started_at));
});

test("only the jobs there is room for run at once", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const jobs = await Promise.all(Array.from({ length: 5 }, async () => (await api.create(key)).body["data"].id));
  api.givenWorker({ atOnceMax: 2 });

  await played.called(2);
  const statuses = await Promise.all(jobs.map(async (id) => (await api.read(key, id)).body["data"].status));
  for (let number = 1; number <= 5; number += 1) (await played.called(number)).answer.resolve([]);
  const ends = await Promise.all(jobs.map((id) => api.ended(key, id)));

  assert.equal(statuses.filter((status) => status === "running").length, 2);
  assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(["succeeded"]));
});

type Row = { attempt: number; run_at: Date; lease_until: Date | null; lease_token: number };

async function waitForRow(
  api: Awaited<ReturnType<typeof startScrapes>>,
  jobId: string,
  isWanted: (row: Row) => boolean,
): Promise<Row> {
  for (;;) {
    const { rows } = await api.db.query<Row>(sql`
      select attempt, run_at, lease_until, lease_token
      from scrapes
      where id = ${uuidFromId("job", jobId)}
    `);
    const [row] = rows;
    assert.ok(row);
    if (isWanted(row)) return row;
    await sleep(10);
  }
}

function failingSource(action: "slow_down" | "try_again" | "give_up"): Source & { calls: number } {
  const source = {
    name: "failing",
    calls: 0,
    async search() {
      source.calls += 1;
      throw new SourceFailure(action, "source_failed", "a page of another kind");
    },
  };
  return source;
}
