// A metropolis with known answers is collected while workers and API processes are killed with -9:
// `npm run soak -- collections [businesses]`, 50,000 when absent. Exits with 1 when a promise is broken.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { callUntilAnswered, type Fleet, startFleet } from "../../e2e/fleet.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { importItems } from "../../server/src/data-sets/import.ts";
import { asRecords, isInOutline, metropolis, outline } from "../../server/test/metropolis.ts";
import { withDatabase } from "../places/database.ts";

const pollMs = 250;
const pageSize = 20;
const unitsShareMax = 1.5;
const recallMin = 0.99;
/** Who is killed, one after the other, at a moment of its own in each fifth of the work. */
const victims = ["worker", "api", "worker", "api", "worker"] as const;

export async function run(words: string[]): Promise<void> {
  const spots = metropolis(Number(words[0] ?? 50_000));
  const expected = new Set(spots.filter(isInOutline).map(({ name }) => name));
  const least = Math.ceil(expected.size / pageSize);
  const maxUnits = Math.floor(unitsShareMax * least);
  await withDatabase(async ({ connection }) => {
    const items = (async function* () {
      yield* asRecords(spots);
    })();
    const { signal } = new AbortController();
    await importItems({ name: "city", origin: "city.file" }, items, { connection, clock: systemClock, signal });
    const settings = { WAYPOST_SOURCE: "catalog" };
    const roles = ["api", "api", "worker", "worker"] as const;
    const fleet = await startFleet(connection, roles, settings, "server/src/main.ts");
    try {
      await collect(fleet, { expected, least, maxUnits });
    } finally {
      await fleet.stop();
    }
  });
}

type Shown = {
  status: string;
  finished_at: string | null;
  progress: { pages: number; units_charged: number };
};
type Found = { businessId: string; place: { name: string; location: { latitude: number; longitude: number } } };
type Page = { records: Found[]; next_cursor: string | null };
type Wanted = { expected: ReadonlySet<string>; least: number; maxUnits: number };

async function collect(fleet: Fleet, { expected, least, maxUnits }: Wanted): Promise<void> {
  const body = { q: "dentist", area: { polygon: outline }, max_units: maxUnits };
  const startedAt = performance.now();
  const { status, data } = await callUntilAnswered(fleet, "/collections", { body });
  assert.equal(status, 202, JSON.stringify(data));

  const restarts: Promise<void>[] = [];
  for (const [index, role] of victims.entries()) {
    const pages = Math.floor(((index + Math.random()) / victims.length) * least);
    const { progress } = await until(
      fleet,
      data.id,
      (each) => each.progress.pages >= pages || each.finished_at !== null,
    );
    console.log(`after ${progress.pages} pages: kill -9 of one ${role}`);
    restarts.push(fleet.any(role).crash());
  }
  const ended = await until(fleet, data.id, ({ finished_at: finishedAt }) => finishedAt !== null);
  await Promise.all(restarts);
  const seconds = (performance.now() - startedAt) / 1_000;

  const records = await recordsOf(fleet, data.id);
  const names = new Set(records.map(({ place }) => place.name));
  const recall = [...expected].filter((name) => names.has(name)).length / expected.size;
  const { pages, units_charged: units } = ended.progress;
  console.log(
    `${ended.status}: ${records.length} of ${expected.size} businesses, recall ${recall.toFixed(4)} (at least ${recallMin}); ` +
      `${units} units, ${(units / least).toFixed(2)} of the least possible ${least} (at most ${unitsShareMax}); ` +
      `${victims.length} processes killed; ${Math.round(seconds)} s`,
  );

  assert.equal(ended.status, "succeeded");
  assert.ok(recall >= recallMin);
  assert.equal(names.size, records.length, "a business is there twice");
  assert.equal(new Set(records.map(({ businessId }) => businessId)).size, records.length);
  assert.ok(
    records.every(({ place }) => isInOutline(place.location)),
    "a business lies outside",
  );
  assert.ok(units <= maxUnits && units === pages);
  const { rows } = await fleet.db.query<{ charged: number; used: number }>(sql`
    select (select sum(units)::bigint from ledger_entries) as charged, (select sum(used)::bigint from usage_months) as used
  `);
  assert.deepEqual(rows[0], { charged: units, used: units });
  console.log("no duplicates, nothing outside the polygon, the ledger adds up to the units shown");
}

/** Reads a collection until it is as wanted; a killed API process costs another try. */
async function until(fleet: Fleet, id: string, isWanted: (collection: Shown) => boolean): Promise<Shown> {
  for (;;) {
    const collection = await read<Shown>(fleet, `/collections/${id}`);
    if (collection && isWanted(collection)) return collection;
    await sleep(pollMs);
  }
}

async function recordsOf(fleet: Fleet, id: string): Promise<Found[]> {
  const records: Found[] = [];
  for (let cursor = ""; ;) {
    const page = await read<Page>(fleet, `/collections/${id}/results?limit=100${cursor}`);
    if (!page) continue;
    records.push(...page.records);
    if (page.next_cursor === null) return records;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** What an API process answers; undefined when it is down. */
async function read<Data>(fleet: Fleet, path: string): Promise<Data | undefined> {
  const { address } = fleet.any("api");
  if (address === undefined) return undefined;
  try {
    const response = await fetch(`${address}/api/v1${path}`, {
      headers: { "API-KEY": fleet.key },
      signal: AbortSignal.timeout(20_000),
    });
    return response.ok ? ((await response.json()) as { data: Data }).data : undefined;
  } catch {
    return undefined;
  }
}
