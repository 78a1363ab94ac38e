// The indexes of records that a first import drops and creates again, when it is killed in between.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import { until } from "../../test/database-door.ts";
import type { RecordItem } from "../places/record.ts";
import { isShown } from "./current.ts";
import { givenCatalog, place, recordIndexes, yielded } from "../sources/catalog/testing.ts";
import { importItems } from "./import.ts";
import { removeDataSet } from "./remove.ts";

const { signal } = new AbortController();
const cafes = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    place({ sourceId: `osm:n${index + 1}`, name: `Cafe ${index + 1}`, categories: ["amenity/cafe"] }),
  );
/** More than one transaction of them: fewer are stored with the indexes in place. */
const placesCount = 5_001;

/** Statements that make a session sleep at a moment, how many of the five indexes are missing then, and their end. */
const moments = {
  "while it drops them": {
    begin: [
      sql`
        create function sleep_at() returns event_trigger language plpgsql as $$
        begin
          if exists (select from pg_event_trigger_dropped_objects() where object_name = 'catalog_records_by_cell')
          then perform pg_sleep(600); end if;
        end
        $$
      `,
      sql`create event trigger sleeping on sql_drop execute function sleep_at()`,
    ],
    missing: 0,
    end: sql`drop event trigger sleeping`,
  },
  "between dropping and creating them": {
    begin: [
      sql`
        create function sleep_at() returns trigger language plpgsql as $$
        begin
          if (select count(*) from catalog_records) > 0 then perform pg_sleep(600); end if;
          return null;
        end
        $$
      `,
      sql`
        create trigger sleeping before insert on catalog_records for each statement execute function sleep_at()
      `,
    ],
    missing: 5,
    end: sql`drop trigger sleeping on catalog_records`,
  },
  "while it creates them": {
    begin: [
      sql`
        create function sleep_at() returns event_trigger language plpgsql as $$
        begin
          if exists (
            select from pg_event_trigger_ddl_commands() where object_identity like '%.catalog_records_by_place'
          )
          then perform pg_sleep(600); end if;
        end
        $$
      `,
      sql`create event trigger sleeping on ddl_command_end when tag in ('CREATE INDEX') execute function sleep_at()`,
    ],
    missing: 3,
    end: sql`drop event trigger sleeping`,
  },
} as const;

type Moment = keyof typeof moments;
type Next = "the same file" | "another file" | "a removal";

/** The places that are there after what comes next. */
const placesAfter: Record<Next, number> = { "the same file": placesCount, "another file": 3, "a removal": 0 };

const cases: [Moment, Next][] = [
  ["while it drops them", "the same file"],
  ["between dropping and creating them", "the same file"],
  ["between dropping and creating them", "another file"],
  ["between dropping and creating them", "a removal"],
  ["while it creates them", "the same file"],
  ["while it creates them", "another file"],
  ["while it creates them", "a removal"],
];

for (const [moment, next] of cases) {
  test(`indexes are there after an import was killed ${moment}, with ${next}`, async (t) => {
    const { connection, db, names } = await givenCatalog(t);
    const run = (items: RecordItem[], fingerprint: string) =>
      importItems({ name: "test", origin: "test.file" }, yielded(items), {
        connection,
        clock: systemClock,
        signal,
        fingerprint,
      });
    const before = await recordIndexes(db);
    const { begin, missing, end } = moments[moment];
    for (const statement of begin) await db.query(statement);
    const killed = assert.rejects(run(cafes(placesCount), "a"));
    await until(() => killSleeper(db), 120);
    await killed;
    await db.query(end);
    assert.equal((await recordIndexes(db)).length, before.length - missing);
    assert.deepEqual(await names("cafe"), []);

    if (next === "the same file") assert.equal((await run(cafes(placesCount), "a")).added, placesCount);
    else if (next === "another file") assert.equal((await run(cafes(3), "b")).added, 3);
    else await removeDataSet("test", { connection, signal });

    assert.deepEqual(await recordIndexes(db), before);
    const { rows } = await db.query<{ records: number; ids: number; shown: number }>(sql`
      select count(*) as records, count(distinct source_id) as ids, count(*) filter (where ${isShown}) as shown
      from catalog_records
    `);
    const places = placesAfter[next];
    assert.deepEqual(rows, [{ records: places, ids: places, shown: places }]);
    assert.equal((await names("cafe 3")).includes("Cafe 3"), places > 0);
  });
}

test("nobody goes through the records of a first import while their indexes are missing", async (t) => {
  const { connection, db } = await givenCatalog(t);
  const { begin, end } = moments["between dropping and creating them"];
  for (const statement of begin) await db.query(statement);
  const options = { connection, clock: systemClock, signal };
  const killed = assert.rejects(importItems({ name: "test", origin: "" }, yielded(cafes(placesCount)), options));
  await until(() => killSleeper(db), 120);
  await killed;
  await db.query(end);

  const { rows } = await db.query<Record<string, string>>(sql`
    explain (analyze, costs off)
    select number
    from catalog_records
    where cell between 1 and 1000 and ${isShown}
  `);

  const lines = rows.map((row) => row["QUERY PLAN"] ?? "");
  assert.ok(
    lines.some((line) => /Scan.* on catalog_records.*never executed/.test(line)),
    lines.join("\n"),
  );
});

/** Ends the session that sleeps, as the kernel ends one that takes too much memory; false while none does. */
async function killSleeper(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'
  `);
  return rowCount > 0;
}
