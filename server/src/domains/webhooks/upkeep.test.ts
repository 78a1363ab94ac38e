import assert from "node:assert/strict";
import { test } from "node:test";
import { retentionDays, startWebhooks } from "../../../test/webhooks.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { attemptsMax } from "./deliveries/schedule.ts";

const hour = 3_600_000;
const day = 24 * hour;

async function sequencesOf(db: Queryable, resourceId: string): Promise<number[]> {
  const { rows } = await db.query<{ sequence: number }>(sql`
    select sequence
    from webhook_events
    where resource_id = ${resourceId}
    order by sequence
  `);
  return rows.map(({ sequence }) => sequence);
}

test("an event without a delivery leaves after an hour, and the sequence goes on as if it had stayed", async (t) => {
  const { db, clock, upkeep, givenEvent } = await startWebhooks(t);
  const resource = { type: "scrape_job" as const, id: newUuid() };
  await givenEvent(null, { resource, type: "scrape.started" });
  await givenEvent(null, { resource, type: "scrape.progress" });

  clock.advance(hour);
  await upkeep.run();
  const afterAnHour = await sequencesOf(db, resource.id);
  clock.advance(1);
  await upkeep.run();
  const later = await sequencesOf(db, resource.id);
  await givenEvent(null, { resource, type: "scrape.completed" });
  const atTheEnd = await sequencesOf(db, resource.id);
  clock.advance(hour + 1);
  await upkeep.run();

  assert.deepEqual(afterAnHour, [1, 2]);
  assert.deepEqual(later, [2]);
  assert.deepEqual(atTheEnd, [2, 3]);
  assert.deepEqual(await sequencesOf(db, resource.id), []);
});

test("a delivered event stays as long as the retention says", async (t) => {
  const { db, clock, upkeep, dispatcher, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { uuid } = await givenEndpoint();
  const { resource } = await givenEvent(uuid);
  await dispatcher.drain();

  clock.advance(retentionDays * day);
  await upkeep.run();
  const before = await sequencesOf(db, resource.id);
  clock.advance(1);
  await upkeep.run();

  assert.deepEqual(before, [1]);
  assert.deepEqual(await sequencesOf(db, resource.id), []);
});

test("a deleted endpoint leaves with its last delivery, and one that lives on stays", async (t) => {
  const { db, send, clock, upkeep, dispatcher, givenEndpoint } = await startWebhooks(t);
  const [deleted, kept] = [await givenEndpoint(), await givenEndpoint()];
  for (const { id } of [deleted, kept]) await send("POST", `/webhook-endpoints/${id}/test`);
  await dispatcher.drain();
  await send("DELETE", `/webhook-endpoints/${deleted.id}`);
  const left = async () => {
    const { rows } = await db.query<{ id: string }>(sql`
      select id
      from webhook_endpoints
      where id = any(${[deleted.uuid, kept.uuid]})
    `);
    return rows.map(({ id }) => id);
  };

  clock.advance(retentionDays * day);
  await upkeep.run();
  const before = await left();
  clock.advance(1);
  await upkeep.run();

  assert.equal(before.length, 2);
  assert.deepEqual(await left(), [kept.uuid]);
  assert.deepEqual(await sequencesOf(db, deleted.uuid), []);
  assert.deepEqual(await sequencesOf(db, kept.uuid), [1]);
});

test("simulated resources have no events", async (t) => {
  const { db, givenEvent } = await startWebhooks(t);

  const { resource } = await givenEvent(null, { isSimulated: true });

  assert.deepEqual(await sequencesOf(db, resource.id), []);
});

test("the table of attempts allows the numbers of the schedule and no others", async (t) => {
  const { db } = await startWebhooks(t);

  const { rows } = await db.query<{ definition: string }>(sql`
    select pg_get_constraintdef(oid) as definition
    from pg_constraint
    where conrelid = 'webhook_attempts'::regclass
      and contype = 'c'
  `);

  assert.deepEqual(
    rows.map(({ definition }) => definition),
    [`CHECK (((number >= 1) AND (number <= ${attemptsMax})))`],
  );
});
