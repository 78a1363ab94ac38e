import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { isInOutline, metropolis, outline } from "../server/test/metropolis.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { callUntilAnswered, type Fleet, startFleet } from "./fleet.ts";

const patienceMs = 240_000;

/** Reads a collection until it is as wanted; a killed API process costs another try. */
async function until(fleet: Fleet, id: string, isWanted: (collection: any) => boolean) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const data = await read(fleet, `/collections/${id}`).catch(() => undefined);
    if (data && isWanted(data)) return data;
    assert.ok(Date.now() < deadline, `still ${JSON.stringify(data)}`);
    await sleep(50);
  }
}

async function read(fleet: Fleet, path: string): Promise<any> {
  const { address } = fleet.any("api");
  if (address === undefined) return undefined;
  const response = await fetch(`${address}/api/v1${path}`, { headers: { "API-KEY": fleet.key } });
  return ((await response.json()) as { data: unknown }).data;
}

async function namesOf(fleet: Fleet, id: string): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ""; ;) {
    const page = await read(fleet, `/collections/${id}/results?limit=100${cursor}`);
    names.push(...page.records.map((record: any) => record.place.name));
    if (page.next_cursor === null) return names;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

test("a collection outlives workers that are killed at random: nothing lost, nothing twice, nothing paid twice", async (t) => {
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "worker", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await database.drop();
  });
  const body = { q: "metropolis 40", area: { polygon: outline }, max_units: 1_000 };
  const { data } = await callUntilAnswered(fleet, "/collections", { body });

  for (const pages of [5 + Math.floor(Math.random() * 10), 25 + Math.floor(Math.random() * 20)]) {
    await until(fleet, data.id, ({ progress, status }) => progress.pages >= pages || status === "succeeded");
    await fleet.any("worker").crash();
  }
  const disturbed = await until(fleet, data.id, ({ status }) => status !== "queued" && status !== "running");
  const { data: twin } = await callUntilAnswered(fleet, "/collections", { body });
  const calm = await until(fleet, twin.id, ({ status }) => status !== "queued" && status !== "running");

  t.diagnostic(JSON.stringify(disturbed.progress));
  assert.equal(disturbed.status, "succeeded");
  assert.deepEqual(disturbed.progress, calm.progress);
  const names = await namesOf(fleet, data.id);
  assert.equal(new Set(names).size, names.length);
  const expected = metropolis(1_500).filter(isInOutline);
  assert.deepEqual(new Set(names), new Set(expected.map(({ name }) => name)));
  const { rows } = await fleet.db.query<{ units: number; used: number }>(sql`
    select (select sum(units)::bigint from ledger_entries) as units, (select sum(used)::bigint from usage_months) as used
  `);
  const paid = disturbed.progress.units_charged + calm.progress.units_charged;
  assert.deepEqual(rows[0], { units: paid, used: paid });
});
