import assert from "node:assert/strict";
import { test } from "node:test";
import { startScrapes } from "../../../test/scrapes.ts";
import { newUuid, uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { sweepSimulated } from "../businesses/index.ts";
import { sweepScrapes } from "./index.ts";

const day = 86_400_000;

test("a test job has ended when it is answered, costs nothing, and is stored", async (t) => {
  const api = await startScrapes(t);
  const { text: key, organizationId } = await api.givenKey();

  const { status, headers, body } = await api.create(key);
  const { id } = body["data"];

  assert.equal(status, 200);
  assert.equal(body["data"].status, "succeeded");
  assert.deepEqual(body["data"].progress, { completed_queries: 1, total_queries: 1 });
  assert.equal(headers.get("x-svc-units-charged"), "0");
  assert.equal(headers.get("location"), null);
  assert.equal((await api.billing.balance(organizationId)).used, 0);
  assert.deepEqual((await api.read(key, id)).body["data"], body["data"]);
  assert.equal((await api.results(key, id)).body["data"].records.length, 20);
  assert.deepEqual(await api.eventsOf(id), []);
});

test("test keys store so many jobs, collections and searches a day, and search on without storing", async (t) => {
  const api = await startScrapes(t, { settings: { testQuotaPerDay: 3 } });
  const { text: key, organizationId } = await api.givenKey();
  const { text: sibling } = await api.givenKey({ organizationId });
  const { text: stranger } = await api.givenKey();
  const search = { q: "coffee" };
  const circle = { latitude: 47.1, longitude: 9.5, radius_m: 500 };
  const collect = (headers: Record<string, string>) =>
    api.call("/api/v1/collections", { key, headers, json: { q: "coffee", area: { circle }, max_units: 1 } });
  const first = { "Idempotency-Key": newUuid() };

  const stored = [
    await api.create(key),
    await api.searchAs(sibling, search, first),
    await collect({ "Idempotency-Key": newUuid() }),
  ];
  assert.deepEqual(
    stored.map(({ status }) => status),
    [200, 200, 200],
  );

  const refused = [
    await api.create(key),
    await api.searchAs(sibling, search, { "Idempotency-Key": newUuid() }),
    await collect({ "Idempotency-Key": newUuid() }),
  ];
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body["error"].code, body["error"].retryable], [429, "rate_limited", true]);
    assert.ok(Number(headers.get("retry-after")) > 0);
  }
  assert.equal((await api.searchAs(sibling, search, first)).headers.get("idempotent-replayed"), "true");
  assert.equal((await api.searchAs(key, search)).status, 200);
  assert.equal((await api.create(stranger)).status, 200);
  api.clock.advance(24 * 3_600_000);
  assert.equal((await api.create(key)).status, 200);
});

test("the records of test jobs and collections are stored once for all of them, and read and exported whole", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const area = { circle: { latitude: 47.1, longitude: 9.5, radius_m: 500 } };
  const stored = async () => {
    const { rows } = await api.db.query<{ shared: number; own: number }>(sql`
      select (select count(*) from simulated_records) as shared,
        (select coalesce(sum(octet_length(record)), 0) from scrape_results) as own
    `);
    return rows[0] ?? { shared: 0, own: 0 };
  };
  const input = { q: "a bakery of its own" };
  const { id: first } = (await api.create(key, input)).body["data"];
  const before = await stored();
  const { id: second } = (await api.create(key, input)).body["data"];
  const after = await stored();

  assert.equal(after.shared, before.shared);
  assert.ok(after.own - before.own <= 20 * 40, `${after.own - before.own} bytes are stored of twenty results`);
  const [one, other] = [await api.results(key, first), await api.results(key, second)];
  assert.equal(one.body["data"].records.length, 20);
  assert.deepEqual(one.body["data"].records, other.body["data"].records);
  const { body } = await api.call("/api/v1/collections", {
    key,
    headers: { "Idempotency-Key": newUuid() },
    json: { q: "coffee", area, max_units: 1 },
  });
  const collected = await api.call(`/api/v1/collections/${body["data"].id}/results`, { key });
  assert.equal(typeof collected.body["data"].records[0].place.name, "string");
});

test("a simulated record stays as long as results may refer to it, and goes a week later", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const input = { q: "a cobbler in Maienfeld" };
  await sweepSimulated(api.db, new Date(Date.now() + 100 * day), 30);
  const first = (await api.create(key, input)).body["data"];
  const sweepAfter = (days: number) => sweepSimulated(api.db, new Date(Date.now() + days * day), 30);

  await api.db.query(sql`update simulated_records set used_at = now() - interval '36 days'`);
  const early = await sweepAfter(0);
  const { id } = (await api.create(key, input)).body["data"];
  const inUse = await sweepAfter(36);
  const { records } = (await api.results(key, id)).body["data"];
  const late = await sweepAfter(38);

  assert.deepEqual([early, inUse, late], [0, 0, 20]);
  assert.equal(records.length, first.result_count);
});

test("a test job finds what a test search finds", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const input = { q: "bakery in Lyon", page: 2, extra: true };

  const search = await api.searchAs(key, input);
  const { id } = (await api.create(key, input)).body["data"];

  assert.deepEqual((await api.results(key, id)).body["data"].records, search.body["data"].businesses);
});

for (const [q, status, errorCode, count] of [
  ["test:empty", "succeeded", undefined, 0],
  ["test:partial", "partial", "source_failed", 10],
  ["TEST:Failed in Vaduz", "failed", "source_failed", 0],
  ["test:canceled", "canceled", undefined, 0],
  ["test:emptyish", "succeeded", undefined, 0],
  ["a test:failed", "succeeded", undefined, 20],
] as const) {
  test(`the query ${q} ends as ${status} with ${count} records`, async (t) => {
    const api = await startScrapes(t);
    const { text: key } = await api.givenKey();

    const answer = await api.create(key, { q });
    const job = answer.body["data"];
    const { data } = (await api.results(key, job.id)).body;

    assert.equal(answer.status, 200);
    assert.equal(job.status, status);
    assert.equal(job.error_code, errorCode);
    assert.equal(data.records.length, count);
    assert.equal(data.job_status, status);
    assert.equal(data.is_complete, status === "succeeded");
    assert.equal(data.next_cursor, null);
    assert.deepEqual(await api.eventsOf(job.id), []);
  });
}

test("test:slow runs for ten seconds without anybody holding it, and then succeeds", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const worker = api.givenWorker();

  const { status, body } = await api.create(key, { q: "test:slow" });
  const { id } = body["data"];
  const { rows } = await api.db.query<{ seconds: number; held: boolean }>(sql`
    select extract(epoch from run_at - created_at)::float as seconds, lease_until is not null as held
    from scrapes
    where status = 'running'
  `);
  await worker.stop(); // nothing is lost with the process that saw it begin
  await api.age(id, 10);
  api.givenWorker();
  const job = await api.ended(key, id);

  assert.equal(status, 200);
  assert.equal(body["data"].status, "running");
  assert.deepEqual(rows, [{ seconds: 10, held: false }]);
  assert.equal(job.status, "succeeded");
  assert.equal((await api.results(key, id)).body["data"].records.length, 20);
  assert.deepEqual(await api.eventsOf(id), []);
});

test("a slow test job can be canceled", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const { id } = (await api.create(key, { q: "test:slow" })).body["data"];

  const { body } = await api.cancel(key, id);

  assert.equal(body["data"].status, "canceled");
});

test("standalone reviews and photos are fixtures with that kind of media alone", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();

  const [reviews, photos] = await Promise.all(
    ["places.reviews", "places.photos"].map(async (operation) => {
      const { status, body } = await api.create(key, {}, {}, operation);
      assert.equal(status, 200);
      assert.equal(body["data"].operation, operation);
      return (await api.results(key, body["data"].id)).body["data"].records.map((record: any) => record.place);
    }),
  );

  assert.ok(reviews.some((place: any) => place.reviews.length > 0));
  assert.ok(reviews.every((place: any) => place.photosState === "not_requested" && place.photos.length === 0));
  assert.ok(photos.some((place: any) => place.photos.length > 0));
  assert.ok(photos.every((place: any) => place.reviewsState === "not_requested" && place.reviews.length === 0));
});

test("jobs and their results are gone when they were kept long enough, and not a day earlier", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const { id } = (await api.create(key)).body["data"];

  const sweepAfter = (ms: number) => sweepScrapes(api.db, new Date(Date.now() + ms), 30);

  await sweepAfter(30 * day - 60_000);
  const kept = await api.read(key, id);
  const swept = await sweepAfter(30 * day + 60_000);
  const gone = [await api.read(key, id), await api.results(key, id)];

  assert.equal(kept.status, 200);
  assert.ok(swept >= 1);
  assert.deepEqual(
    gone.map(({ status }) => status),
    [404, 404],
  );
  const { rows } = await api.db.query(sql`select from scrape_results where job_id = ${uuidFromId("job", id)}`);
  assert.deepEqual(rows, []);
});
