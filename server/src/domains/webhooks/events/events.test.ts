import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { fileDatabase, manualClock } from "../../../../test/harness.ts";
import { idFromUuid, newId, newUuid } from "../../../platform/ids.ts";
import { silentLog } from "../../../platform/log.ts";
import { createDatabase, type Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { createWebhooks, type EventOf } from "../index.ts";
import { bodyBytesMax } from "./event.ts";
import { eventTypes } from "./event-types.ts";

async function setUp(t: TestContext) {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 10, log: silentLog });
  t.after(() => db.end());
  const clock = manualClock();
  return { db, clock, webhooks: createWebhooks({ clock }), organizationId: await givenOrganization(db) };
}

async function givenOrganization(db: Queryable): Promise<string> {
  const id = newUuid();
  await db.query(sql`insert into organizations (id, name, entitlement) values (${id}, ${id}, 'active')`);
  return id;
}

async function givenEndpoint(db: Queryable, organizationId: string, types: readonly string[] = eventTypes) {
  const id = newUuid();
  await db.query(sql`
    insert into webhook_endpoints
      (id, organization_id, url, event_types, status, secret_version, created_at, updated_at)
    values (${id}, ${organizationId}, 'https://example.com/', ${types}, 'active', 3, now(), now())
  `);
  return id;
}

function started(organizationId: string, change: Partial<EventOf<"scrape_job">> = {}): EventOf<"scrape_job"> {
  const id = newUuid();
  return {
    organizationId,
    type: "scrape.started",
    resource: { type: "scrape_job", id },
    requestId: newId("req"),
    traceparent: null,
    endpointId: null,
    data: {
      job_id: idFromUuid("req", id).replace("req_", "job_"),
      operation: "places.search",
      status: "running",
      progress: { completed_queries: 0, total_queries: 1 },
      result_count: 0,
      error_class: null,
    },
    ...change,
  };
}

async function eventsOf(db: Queryable, resourceId: string) {
  const { rows } = await db.query<{ sequence: number; body: string }>(sql`
    select sequence, body
    from webhook_events
    where resource_id = ${resourceId}
    order by sequence
  `);
  return rows;
}

async function deliveriesOf(db: Queryable, resourceId: string) {
  const { rows } = await db.query<{ endpoint: string; version: number; status: string; run_at: Date }>(sql`
    select endpoint_id as endpoint, secret_version as version, status, run_at
    from webhook_deliveries
    where resource_id = ${resourceId}
  `);
  return rows;
}

test("the body has the documented members in the documented order, and no other", async (t) => {
  const { db, clock, webhooks, organizationId } = await setUp(t);
  const event = started(organizationId);

  await db.transaction((tx) => webhooks.emit(tx, event));

  const [{ body } = assert.fail("no event")] = await eventsOf(db, event.resource.id);
  const read = JSON.parse(body);
  assert.deepEqual(Object.keys(read), [
    "id",
    "type",
    "event_version",
    "schema_version",
    "created_at",
    "organization_id",
    "request_id",
    "resource",
    "data",
  ]);
  assert.match(read.id, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const at = clock.now().toISOString();
  assert.deepEqual(
    { ...read, id: "" },
    {
      id: "",
      type: "scrape.started",
      event_version: 1,
      schema_version: "2026-09-22",
      created_at: at,
      organization_id: organizationId,
      request_id: event.requestId,
      resource: { type: "scrape_job", id: event.resource.id, sequence: "1" },
      data: { ...event.data, version: at, sequence: 1 },
    },
  );
});

test("sequences of one resource have no gap and no twin when many tell at once and some roll back", async (t) => {
  const { db, webhooks, organizationId } = await setUp(t);
  const event = started(organizationId);
  const tell = (index: number) =>
    db.transaction(async (tx) => {
      // Stands for the caller's lock on the job's row.
      await tx.query(sql`select id from organizations where id = ${organizationId} for update`);
      await webhooks.emit(tx, event);
      if (index % 3 === 0) throw new Error("the state change failed");
    });

  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => tell(index)));

  assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 10);
  const events = await eventsOf(db, event.resource.id);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body).data.sequence),
    events.map(({ sequence }) => sequence),
  );
});

test("a body of 16 KiB is kept, and one byte more undoes the transaction", async (t) => {
  const { db, webhooks, organizationId } = await setUp(t);
  const sized = async (padding: number) => {
    const event = started(organizationId);
    event.data.operation = "x".repeat(padding);
    await db.transaction((tx) => webhooks.emit(tx, event));
    return Buffer.byteLength((await eventsOf(db, event.resource.id))[0]?.body ?? "");
  };
  const rest = bodyBytesMax - (await sized(0));

  assert.equal(await sized(rest), bodyBytesMax);
  await assert.rejects(sized(rest + 1), /16385 bytes/);
});

test("a delivery is pinned to the endpoint's current secret and due at once", async (t) => {
  const { db, clock, webhooks, organizationId } = await setUp(t);
  const endpointId = await givenEndpoint(db, organizationId);
  const event = started(organizationId, { endpointId });

  await db.transaction((tx) => webhooks.emit(tx, event));

  assert.deepEqual(await deliveriesOf(db, event.resource.id), [
    { endpoint: endpointId, version: 3, status: "pending", run_at: clock.now() },
  ]);
});

test("an event goes to no endpoint that did not ask for its type, was deleted, or is another's", async (t) => {
  const { db, webhooks, organizationId } = await setUp(t);
  const uninterested = await givenEndpoint(db, organizationId, ["export.ready"]);
  const deleted = await givenEndpoint(db, organizationId);
  await db.query(sql`update webhook_endpoints set deleted_at = now() where id = ${deleted}`);
  const foreign = await givenEndpoint(db, await givenOrganization(db));

  for (const endpointId of [uninterested, deleted, foreign, null]) {
    const event = started(organizationId, { endpointId });
    await db.transaction((tx) => webhooks.emit(tx, event));

    assert.equal((await eventsOf(db, event.resource.id)).length, 1);
    assert.deepEqual(await deliveriesOf(db, event.resource.id), []);
  }
});

test("an endpoint can be bound by its own organization while it exists", async (t) => {
  const { db, webhooks, organizationId } = await setUp(t);
  const uuid = await givenEndpoint(db, organizationId);
  const endpointId = idFromUuid("whe", uuid);

  assert.equal(await webhooks.canBind(db, organizationId, endpointId), uuid);
  assert.equal(await webhooks.canBind(db, await givenOrganization(db), endpointId), undefined);
  assert.equal(await webhooks.canBind(db, organizationId, newId("whe")), undefined);
  assert.equal(await webhooks.canBind(db, organizationId, endpointId.replace("whe_", "dlv_")), undefined);
  assert.equal(await webhooks.canBind(db, organizationId, uuid), undefined);
  await db.query(sql`update webhook_endpoints set deleted_at = now() where id = ${uuid}`);
  assert.equal(await webhooks.canBind(db, organizationId, endpointId), undefined);
});
