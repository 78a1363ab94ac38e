import assert from "node:assert/strict";
import { test } from "node:test";
import { startScrapes, steadySource } from "../../../test/scrapes.ts";
import { idFromUuid, newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";

const source = steadySource();

test("a live job is accepted as queued, and the answer says where and when to look", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });

  const { status, headers, body } = await api.create(key, { q: "coffee", page: 2, hl: "de", gl: "li" });

  assert.equal(status, 202);
  const { id, created_at: createdAt, ...rest } = body["data"];
  assert.match(id, /^job_[0-7][0-9a-z]{25}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    operation: "places.search",
    status: "queued",
    input: { q: "coffee", page: 2, hl: "de", extra: false, gl: "li" },
    started_at: null,
    finished_at: null,
    next_attempt_at: null,
    result_count: null,
    query_reading: null,
    progress: { completed_queries: 0, total_queries: 1 },
    links: { self: `/api/v1/scrapes/${id}`, results: `/api/v1/scrapes/${id}/results` },
  });
  assert.equal(headers.get("location"), `/api/v1/scrapes/${id}`);
  assert.equal(headers.get("retry-after"), "1");
  assert.equal(headers.get("x-svc-units-charged"), "1");
  assert.equal(headers.get("preference-applied"), null);
  assert.deepEqual((await api.read(key, id)).body["data"], body["data"]);
});

test("a job costs one unit, a replay none, and a refused one leaves nothing behind", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  await api.billing.setAllowance(organizationId, 2);
  const idempotencyKey = newUuid();

  const first = await api.create(key, {}, { "Idempotency-Key": idempotencyKey });
  const replay = await api.create(key, {}, { "Idempotency-Key": idempotencyKey });
  const second = await api.create(key);
  const refusedKey = newUuid();
  const refused = await api.create(key, {}, { "Idempotency-Key": refusedKey });

  assert.deepEqual([first.status, replay.status, second.status, refused.status], [202, 202, 202, 402]);
  assert.equal(replay.body["data"].id, first.body["data"].id);
  assert.notEqual(replay.body["request_id"], first.body["request_id"]);
  assert.equal(replay.headers.get("idempotent-replayed"), "true");
  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.equal(replay.headers.get("x-svc-units-charged"), "0");
  assert.equal(second.headers.get("x-svc-units-remaining"), "0");
  assert.equal(refused.headers.get("x-svc-units-charged"), "0");
  assert.equal(refused.headers.get("x-svc-units-remaining"), "0");
  assert.equal(refused.body["error"].code, "allowance_exhausted");
  assert.equal((await api.billing.balance(organizationId)).used, 2);
  assert.equal((await api.call("/api/v1/scrapes", { key })).body["data"].length, 2);

  // The refusal kept neither the job nor the key: with units to spend the same call succeeds.
  await api.billing.setAllowance(organizationId, 3);
  const retried = await api.create(key, {}, { "Idempotency-Key": refusedKey });
  assert.equal(retried.status, 202);
  assert.equal(retried.headers.get("idempotent-replayed"), null);
});

test("twins that come at once make one job and cost one unit", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const headers = { "Idempotency-Key": newUuid() };

  const answers = await Promise.all(Array.from({ length: 25 }, () => api.create(key, {}, headers)));

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal(new Set(answers.map(({ body }) => body["data"].id)).size, 1);
  assert.equal(answers.filter((answer) => answer.headers.get("idempotent-replayed") !== "true").length, 1);
  assert.equal((await api.billing.balance(organizationId)).used, 1);
});

test("the same key with another body is refused, whatever Prefer says", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const headers = { "Idempotency-Key": newUuid() };
  await api.create(key, { q: "coffee" }, headers);

  const other = await api.create(key, { q: "tea" }, headers);
  const same = await api.create(key, { q: "coffee" }, { ...headers, Prefer: "wait=1" });

  assert.equal(other.status, 422);
  assert.equal(other.body["error"].code, "idempotency_key_reused");
  assert.equal(same.status, 202);
});

test("a rotated key replays, another organization's and the other environment's keys do not", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const sibling = await api.givenKey({ environment: "live", organizationId });
  const testKey = await api.givenKey({ environment: "test", organizationId });
  const stranger = await api.givenKey({ environment: "live" });
  const headers = { "Idempotency-Key": newUuid() };
  const { body } = await api.create(key, {}, headers);

  const ids = await Promise.all(
    [sibling, testKey, stranger].map(async ({ text }) => (await api.create(text, {}, headers)).body["data"].id),
  );

  assert.equal(ids[0], body["data"].id);
  assert.equal(new Set([...ids, body["data"].id]).size, 3);
});

test("a record of a key that has expired does not stand in the way", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const headers = { "Idempotency-Key": newUuid() };
  const first = await api.create(key, {}, headers);
  await api.db.query(sql`
    update idempotency_records
    set expires_at = now() - interval '1 second'
    where key = ${headers["Idempotency-Key"]}
  `);

  const later = await api.create(key, { q: "tea" }, headers);

  assert.equal(later.status, 202);
  assert.notEqual(later.body["data"].id, first.body["data"].id);
});

const bound = (length: number) => "k".repeat(length);

for (const [name, value, status] of [
  ["15 characters", bound(15), 400],
  ["16 characters", bound(16), 202],
  ["128 characters", bound(128), 202],
  ["129 characters", bound(129), 400],
  ["0x21 and 0x7e", `!~${bound(14)}`, 202],
  ["a space", `${bound(15)} ${bound(2)}`, 400],
  ["a character above 0x7e", `${bound(15)}\u00a0${bound(2)}`, 400],
] as const) {
  test(`an Idempotency-Key with ${name} is answered with ${status}`, async (t) => {
    const api = await startScrapes(t, { source });
    const { text: key } = await api.givenKey({ environment: "live" });

    const answer = await api.create(key, {}, { "Idempotency-Key": value });

    assert.equal(answer.status, status);
    if (status === 400) assert.equal(answer.body["error"].code, "invalid_request");
  });
}

test("a creation without an Idempotency-Key is refused", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });

  const { status, body } = await api.call("/api/v1/scrapes", {
    key,
    json: { operation: "places.search", input: { q: "coffee" } },
  });

  assert.equal(status, 400);
  assert.deepEqual(body["error"].details, ["header /idempotency-key: is required"]);
});

for (const [name, json] of [
  ["an unknown operation", { operation: "places.everything", input: { q: "coffee" } }],
  ["no operation", { input: { q: "coffee" } }],
  ["no input", { operation: "places.search" }],
  ["an unknown property", { operation: "places.search", input: { q: "coffee" }, priority: 1 }],
  ["an unknown input", { operation: "places.search", input: { q: "coffee", radius: 1 } }],
  ["a query that is too short", { operation: "places.search", input: { q: "c" } }],
  ["a query that is too long", { operation: "places.search", input: { q: "c".repeat(201) } }],
  ["a page of 11", { operation: "places.search", input: { q: "coffee", page: 11 } }],
  ["a page as text", { operation: "places.search", input: { q: "coffee", page: "2" } }],
  ["a viewport beyond the pole", { operation: "places.search", input: { q: "coffee", ll: "@90.1,0,3z" } }],
  ["a malformed endpoint", { operation: "places.search", input: { q: "coffee", webhook_endpoint_id: "whe_1" } }],
] as const) {
  test(`a creation with ${name} is refused`, async (t) => {
    const api = await startScrapes(t, { source });
    const { text: key } = await api.givenKey({ environment: "live" });

    const { status, body } = await api.call("/api/v1/scrapes", {
      key,
      json,
      headers: { "Idempotency-Key": newUuid() },
    });

    assert.equal(status, 400);
    assert.equal(body["error"].code, "invalid_request");
    assert.ok(body["error"].details.length > 0);
  });
}

test("the bounds of the search body hold here too, and ll is accepted", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });

  const inputs = [{ q: "ab" }, { q: "c".repeat(200) }, { page: 10 }, { ll: "@90,-180,21z", extra: true }];
  const answers = await Promise.all(inputs.map((input) => api.create(key, input)));

  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202, 202],
  );
});

test("live keys get no standalone reviews or photos, and no jobs at all without a source", async (t) => {
  const api = await startScrapes(t, { source });
  const bare = await startScrapes(t);
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const answers = [
    await api.create(key, {}, {}, "places.reviews"),
    await api.create(key, {}, {}, "places.photos"),
    await bare.create(key),
  ];

  for (const { status, body } of answers) {
    assert.equal(status, 403);
    assert.equal(body["error"].code, "capability_unavailable");
  }
  assert.equal((await api.billing.balance(organizationId)).used, 0);
});

test("a job without a place is refused where the source needs one, and costs nothing", async (t) => {
  const api = await startScrapes(t, { source: { ...source, lacksPlace: ({ ll }) => ll === undefined } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const { text: testKey } = await api.givenKey({ environment: "test" });

  const refused = await api.create(key, { q: "restaurant" });
  const placed = await api.create(key, { q: "restaurant", ll: "@47.14,9.52,14z" });
  const simulated = await api.create(testKey, { q: "restaurant" });

  assert.deepEqual([refused.status, placed.status, simulated.status], [400, 202, 200]);
  assert.deepEqual([refused.body["error"].code, refused.body["error"].retryable], ["invalid_request", false]);
  assert.match(refused.body["error"].details[0], /^\/input\/q: must name a place/);
  assert.equal((await api.billing.balance(organizationId)).used, 1);
});

test("an organization without an entitlement is refused after its request was read", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  await api.organizations.setEntitlement(organizationId, "inactive");

  const refused = await api.create(key);
  const malformed = await api.create(key, { page: 11 });
  const badHeader = await api.create(key, {}, { Prefer: "wait=0" });

  assert.equal(refused.body["error"].code, "entitlement_required");
  assert.equal(malformed.body["error"].code, "invalid_request");
  assert.equal(badHeader.body["error"].code, "invalid_request");
});

test("a job is bound to an endpoint of its own organization only, and never by a test key", async (t) => {
  const api = await startScrapes(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const { text: testKey } = await api.givenKey({ organizationId });
  const stranger = await api.givenKey({ environment: "live" });
  const [own, foreign] = [await givenEndpoint(organizationId), await givenEndpoint(stranger.organizationId)];

  const accepted = await api.create(key, { webhook_endpoint_id: own.id });
  const refused = await api.create(key, { webhook_endpoint_id: foreign.id });
  const refusedTest = await api.create(testKey, { webhook_endpoint_id: own.id });

  assert.equal(accepted.status, 202);
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body["error"].details, [
    "/input/webhook_endpoint_id: must be a webhook endpoint of the organization",
  ]);
  assert.equal(refusedTest.status, 403);
  assert.equal(refusedTest.body["error"].code, "live_key_required");
  assert.equal((await api.billing.balance(organizationId)).used, 1);

  async function givenEndpoint(organization: string) {
    const uuid = newUuid();
    await api.db.query(sql`
      insert into webhook_endpoints
        (id, organization_id, url, event_types, status, secret_version, created_at, updated_at)
      values (${uuid}, ${organization}, 'https://hooks.example/', '{scrape.started}', 'active', 1, now(), now())
    `);
    return { uuid, id: idFromUuid("whe", uuid) };
  }
});
