import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../server/src/platform/ids.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { startFleet } from "./fleet.ts";
import { allEnded, newLedger, settle } from "./jobs-ledger.ts";
import { until } from "./service.ts";

// What a newer version's migrations do while processes of this one are still running: they add, and
// they change the types of columns that the running ones read.
const changes = [
  sql`alter table scrapes add column added_later text, alter column error_code type varchar`,
  sql`alter table api_keys add column added_later text, alter column revoked_reason type varchar`,
  sql`alter table scrape_results add column added_later text, alter column record type varchar`,
  sql`alter table scrapes alter column request_id type varchar, alter column error_code type text`,
];

test("a newer version migrates beside running processes: no call fails, no job costs a second attempt", async (t) => {
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "worker", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await database.drop();
  });
  const ledger = newLedger();
  const stopping = new AbortController();
  t.after(() => stopping.abort());

  const clients = Array.from({ length: 4 }, async () => {
    while (!stopping.signal.aborted) ledger.created.add(await createAndRead(fleet.any("api").address, fleet.key));
  });
  const created = async (more: number) => {
    const before = ledger.created.size;
    await until(() => ledger.created.size >= before + more);
  };
  await created(20);
  for (const change of changes) {
    await fleet.db.query(change);
    await created(20);
  }
  stopping.abort();
  await Promise.all(clients);
  await allEnded(fleet.db, 60);

  t.diagnostic(`${ledger.created.size} jobs through ${changes.length} changes of the schema`);
  await settle(fleet.db, ledger);
  const { rows } = await fleet.db.query<{ attempt: number }>(sql`select distinct attempt from scrapes`);
  assert.deepEqual(rows, [{ attempt: 1 }]);
});

/** Creates a job and reads it, with clients that do not try again; resolves to its id. */
async function createAndRead(address: string | undefined, key: string): Promise<string> {
  const signal = AbortSignal.timeout(60_000);
  const created = await fetch(`${address}/api/v1/scrapes`, {
    method: "POST",
    headers: { "API-KEY": key, "Idempotency-Key": newUuid(), "Content-Type": "application/json" },
    body: JSON.stringify({ operation: "places.search", input: { q: `coffee ${newUuid()} 20` } }),
    signal,
  });
  const { data } = (await created.json()) as { data: { id: string } };
  assert.equal(created.status, 202, JSON.stringify(data));
  for (const path of [`/scrapes/${data.id}`, `/scrapes/${data.id}/results`, "/scrapes?limit=5"]) {
    const read = await fetch(`${address}/api/v1${path}`, { headers: { "API-KEY": key }, signal });
    assert.equal(read.status, 200, `${path}: ${await read.text()}`);
  }
  return data.id;
}
