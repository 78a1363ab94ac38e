// What a request leaves on the disk, by table: npm run bench -- growth [--requests 2000].
// Searches and jobs of three businesses each, without an endpoint and with one per job, on an empty database.
import { setTimeout as sleep } from "node:timers/promises";
import { startFleet } from "../e2e/fleet.ts";
import { newUuid } from "../server/src/platform/ids.ts";
import type { Database } from "../server/src/platform/postgres/database.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { withDatabase } from "./places/database.ts";
import { numberAfter } from "./places/measure.ts";

const clients = 8;

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--requests", 2_000);
  await withDatabase(async ({ connection }) => {
    const fleet = await startFleet(connection, ["api", "worker"]);
    try {
      const call = caller(fleet.any("api").address ?? "", fleet.key);
      await measure(fleet.db, "a search", count, (n) => call("/api/v1/search", { q: `coffee ${n} in town` }, 200));
      await measure(fleet.db, "a search with Idempotency-Key", count, (n) =>
        call("/api/v1/search", { q: `tea ${n} in town` }, 200, newUuid()),
      );
      await measure(fleet.db, "a job with three results", count, (n) =>
        call("/api/v1/scrapes", { operation: "places.search", input: { q: `bread ${n} in town` } }, 202, newUuid()),
      );
    } finally {
      await fleet.stop();
    }
  });
}

function caller(address: string, key: string) {
  return async (path: string, json: unknown, status: number, idempotencyKey?: string) => {
    const response = await fetch(address + path, {
      method: "POST",
      headers: {
        "API-KEY": key,
        "Content-Type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      },
      body: JSON.stringify(json),
    });
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
}

async function measure(db: Database, what: string, count: number, request: (n: number) => Promise<void>) {
  const before = await sizes(db);
  let sent = 0;
  const client = async () => {
    while (sent < count) await request((sent += 1));
  };
  await Promise.all(Array.from({ length: clients }, client));
  await jobsEnded(db);
  const after = await sizes(db);
  const grown = [...after]
    .map(([table, bytes]) => ({ table, bytes: (bytes - (before.get(table) ?? 0)) / sent }))
    .filter(({ bytes }) => bytes >= 1)
    .sort((one, other) => other.bytes - one.bytes);
  const total = grown.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `${what}: ${Math.round(total)} bytes; ${Math.round((total * 86_400) / 1024 / 1024)} MiB a day at one a second`,
  );
  for (const { table, bytes } of grown) console.log(`  ${Math.round(bytes).toString().padStart(6)}  ${table}`);
}

async function jobsEnded(db: Database) {
  for (let left = 1; left > 0; await sleep(100)) {
    const { rows } = await db.query<{ left: number }>(sql`
      select count(*) as left from scrapes where finished_at is null
    `);
    left = rows[0]?.left ?? 0;
  }
}

/** Each table with its indexes and compressed parts, after what died in it was cleared away for use by others. */
async function sizes(db: Database): Promise<Map<string, number>> {
  const { rows } = await db.query<{ table: string; bytes: number }>(sql`
    select relname as table, pg_total_relation_size(oid) as bytes
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
  `);
  return new Map(rows.map(({ table, bytes }) => [table, bytes]));
}
