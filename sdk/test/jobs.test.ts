import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { isWaypostError, type ScrapeStatus, Waypost } from "@waypost/sdk";
import { startApi } from "../../server/test/harness.ts";
import { answer, refuse, startScripted } from "./scripted-server.ts";

async function setUp(t: TestContext) {
  const api = await startApi(t);
  const { text: apiKey } = await api.givenKey();
  return { api, waypost: new Waypost({ apiKey, baseUrl: api.address }) };
}

test("a search returns businesses, and one that breaks a rule is refused with the rule", async (t) => {
  const { waypost } = await setUp(t);

  const { businesses, total, params } = await waypost.search({ q: "coffee in Vaduz", hl: "de" });
  const error = await waypost.search({ q: "coffee", page: 11 }).catch((thrown: unknown) => thrown);

  assert.equal(total, businesses.length);
  assert.ok(total > 0 && businesses[0]?.place.name);
  assert.deepEqual(params, { q: "coffee in Vaduz", page: 1, hl: "de", extra: false });
  assert.ok(isWaypostError(error, "invalid_request"));
  assert.match(error.details.join(), /\/page/);
  assert.match(error.requestId ?? "", /^req_/);
});

test("a job is created, read, waited for, and all its records are read in pages and one by one", async (t) => {
  const { waypost } = await setUp(t);

  const job = await waypost.scrapes.create({ input: { q: "coffee in Vaduz" } }, { waitSeconds: 5 });
  const ended = await waypost.scrapes.wait(job.id);
  const whole = await waypost.scrapes.results(job.id, { limit: 100 }).page();
  const byOne: string[] = [];
  for await (const { businessId } of waypost.scrapes.results(job.id, { limit: 3 })) byOne.push(businessId);
  const sizes: number[] = [];
  for await (const { records } of waypost.scrapes.results(job.id, { limit: 7 }).pages()) sizes.push(records.length);

  assert.equal(ended.status, "succeeded");
  assert.deepEqual((await waypost.scrapes.get(job.id)).id, job.id);
  assert.ok(whole.is_complete && whole.records.length > 7);
  assert.deepEqual(
    byOne,
    whole.records.map(({ businessId }) => businessId),
  );
  assert.ok(sizes.length > 1 && sizes[0] === 7);
});

test("an estimate of a collection comes before it, and costs a test key nothing", async (t) => {
  const { waypost } = await setUp(t);

  const estimate = await waypost.collections.estimate({ q: "dentist", area: { place: "Vaduz" } });

  assert.deepEqual([estimate.units, estimate.businesses, estimate.source], [0, null, "fixtures"]);
});

test("the same key creates one job; jobs are listed page after page, and by status", async (t) => {
  const { waypost } = await setUp(t);
  const idempotencyKey = "one-job-and-no-more";
  const first = await waypost.scrapes.create({ input: { q: "coffee" } }, { idempotencyKey });
  const again = await waypost.scrapes.create({ input: { q: "coffee" } }, { idempotencyKey });
  const ids = [first.id];
  for (const q of ["tea", "test:failed", "cake"]) ids.unshift((await waypost.scrapes.create({ input: { q } })).id);

  const listed: string[] = [];
  for await (const { id } of waypost.scrapes.list({ limit: 3 })) listed.push(id);
  const { data: failed } = await waypost.scrapes.list({ status: "failed" }).page();

  assert.equal(again.id, first.id);
  assert.deepEqual(listed, ids);
  assert.equal(failed.length, 1);
  assert.ok(failed[0]?.error_code);
});

test("a running job is canceled, and canceling it again changes nothing", async (t) => {
  const { waypost } = await setUp(t);
  const job = await waypost.scrapes.create({ input: { q: "test:slow" } });

  const canceled = await waypost.scrapes.cancel(job.id);
  const again = await waypost.scrapes.cancel(job.id);

  assert.equal(job.status, "running");
  assert.deepEqual([canceled.status, again.status], ["canceled", "canceled"]);
});

test("what belongs to another organization is not found", async (t) => {
  const { api, waypost } = await setUp(t);
  const job = await waypost.scrapes.create({ input: { q: "coffee" } });
  const { text: apiKey } = await api.givenKey();
  const other = new Waypost({ apiKey, baseUrl: api.address });

  await assert.rejects(other.scrapes.get(job.id), { code: "not_found", status: 404 });
  await assert.rejects(other.scrapes.results(job.id).page(), { code: "not_found" });
});

test("a wait polls less and less often, tells every state, and ends with the job", async (t) => {
  const states: ScrapeStatus[] = ["queued", "running", "running", "running", "partial"];
  const { baseUrl } = await startScripted(t, ...states.map((status) => answer({ id: "job_1", status })));
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const waypost = new Waypost({ apiKey: "svc_test_1", baseUrl, sleep });
  const heard: ScrapeStatus[] = [];

  const ended = await waypost.scrapes.wait("job_1", { onUpdate: ({ status }) => heard.push(status) });

  assert.equal(ended.status, "partial");
  assert.deepEqual(heard, states);
  assert.equal(pauses.length, 4);
  for (const [index, middle] of [250, 375, 562.5, 843.75].entries()) {
    const pause = pauses[index] ?? 0;
    assert.ok(pause >= middle * 0.75 && pause <= middle * 1.25, `pause ${index} took ${pause}`);
  }
});

test("a wait ends at its deadline and on its signal, and the job goes on", async (t) => {
  const { waypost } = await setUp(t);
  const job = await waypost.scrapes.create({ input: { q: "test:slow" } });
  const reason = new Error("enough");

  await assert.rejects(waypost.scrapes.wait(job.id, { waitMs: 1 }), { code: "wait_timed_out" });
  const controller = new AbortController();
  const waiting = waypost.scrapes.wait(job.id, { signal: controller.signal, onUpdate: () => controller.abort(reason) });
  await assert.rejects(waiting, reason);

  assert.equal((await waypost.scrapes.get(job.id)).status, "running");
});

test("results of a running job are followed to its end, or read as far as they go", async (t) => {
  const page = (records: unknown[], job_status: string, next_cursor: string | null) =>
    answer({ records, job_status, is_complete: job_status === "succeeded", next_cursor });
  const script = [
    page([{ n: 1 }], "running", "a"),
    page([], "running", "b"),
    page([{ n: 2 }], "running", "c"),
    page([], "succeeded", null),
  ];
  const { baseUrl, seen } = await startScripted(t, ...script);
  const now = await startScripted(t, ...script);
  const options = { apiKey: "svc_test_1", sleep: async () => undefined };

  const followed: unknown[] = [];
  for await (const record of new Waypost({ ...options, baseUrl }).scrapes.results("job_1")) followed.push(record);
  const stored: unknown[] = [];
  const reader = new Waypost({ ...options, baseUrl: now.baseUrl }).scrapes.results("job_1", { follow: false });
  for await (const record of reader) stored.push(record);

  assert.deepEqual(followed, [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(
    seen.map(({ url }) => new URL(url, baseUrl).searchParams.get("cursor")),
    [null, "a", "b", "c"],
  );
  assert.deepEqual(stored, [{ n: 1 }]);
});

test("a wait ends when it says, within a read that gets no answer and within its retries", async (t) => {
  const silent = await startScripted(t, () => undefined);
  const busy = await startScripted(t, refuse(503, "temporarily_unavailable", true, { "Retry-After": "30" }));
  const late = await startScripted(t, answer({ id: "job_1", status: "running" }), () => undefined);

  for (const [{ baseUrl }, message] of [
    [silent, /^How it stands could not be read within 300 ms/],
    [busy, /^How it stands could not be read within 300 ms/],
    [late, /^It has not ended within 300 ms and goes on/],
  ] as const) {
    const waypost = new Waypost({ apiKey: "svc_test_1", baseUrl });
    const startedAt = performance.now();
    await assert.rejects(waypost.scrapes.wait("job_1", { waitMs: 300 }), { code: "wait_timed_out", message });
    assert.ok(performance.now() - startedAt < 5_000);
  }
});

test("a wait of 0 ms reads once, and one without an end is not over at once", async (t) => {
  const { baseUrl, seen } = await startScripted(
    t,
    answer({ id: "job_1", status: "running" }),
    answer({ id: "job_1", status: "running" }),
    answer({ id: "job_1", status: "succeeded" }),
  );
  const waypost = new Waypost({ apiKey: "svc_test_1", baseUrl });

  await assert.rejects(waypost.scrapes.wait("job_1", { waitMs: 0 }), { code: "wait_timed_out" });
  assert.equal(seen.length, 1);
  assert.equal((await waypost.scrapes.wait("job_1", { waitMs: Number.MAX_SAFE_INTEGER })).status, "succeeded");
});

test("a job, a collection and an export are deleted, and are not found afterwards", async (t) => {
  const { waypost } = await setUp(t);
  const job = await waypost.scrapes.create({ input: { q: "coffee in Vaduz" } });
  const made = await waypost.exports.create({ job_id: job.id, format: "csv" });
  const area = { bbox: [47, 9, 47.1, 9.1] as [number, number, number, number] };
  const collection = await waypost.collections.create({ q: "dentist", area, max_units: 5 });

  const answers = [
    await waypost.exports.remove(made.id),
    await waypost.scrapes.remove(job.id),
    await waypost.collections.remove(collection.id),
  ];

  assert.deepEqual(
    answers,
    [made, job, collection].map(({ id }) => ({ id, deleted: true })),
  );
  for (const read of [
    () => waypost.exports.get(made.id),
    () => waypost.scrapes.get(job.id),
    () => waypost.collections.get(collection.id),
  ]) {
    await assert.rejects(read, (error) => isWaypostError(error, "not_found"));
  }
});
