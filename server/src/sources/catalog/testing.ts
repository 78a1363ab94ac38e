import type { TestContext } from "node:test";
import { givenPlaceIndex } from "../../../test/place-index.ts";
import { createTestDatabase } from "../../../test/postgres.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase, type Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Place } from "../../places/place.ts";
import type { SourceQuery } from "../source.ts";
import { importItems } from "../../data-sets/import.ts";
import { createCatalog } from "./catalog.ts";
import type { AreaRecord, RecordItem, PlaceRecord } from "../../places/record.ts";

export type GivenPlace = Partial<PlaceRecord> & { sourceId: string; name: string };

export function place({ sourceId, name, ...rest }: GivenPlace): { place: PlaceRecord } {
  return {
    place: {
      sourceId,
      name,
      namesByLanguage: {},
      otherNames: [],
      categories: [],
      categoryLabels: [],
      latitude: 47.14,
      longitude: 9.52,
      address: { street: null, city: null, region: null, postalCode: null, countryCode: "LI" },
      details: {},
      ...rest,
    },
  };
}

export function town(name: string, latitude: number, longitude: number, rest: Partial<AreaRecord> = {}) {
  return {
    area: {
      sourceId: `osm:n-${name}`,
      name,
      namesByLanguage: {},
      kind: "town" as const,
      latitude,
      longitude,
      box: null,
      population: 5_000,
      countryCode: "LI",
      ...rest,
    },
  };
}

export async function* yielded(items: Iterable<RecordItem>): AsyncGenerator<RecordItem> {
  for (const item of items) yield item;
}

/** A catalog on a database of its own. */
export async function givenCatalog(t: TestContext) {
  const { connection, drop } = await createTestDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  t.after(async () => {
    await db.end().catch(() => undefined); // a test may have ended it
    await drop();
  });
  const index = await givenPlaceIndex(t, db);
  const catalog = createCatalog({ db, index });

  async function load(items: Iterable<RecordItem>, name = "test") {
    const { signal } = new AbortController();
    return importItems({ name, origin: `${name}.file` }, yielded(items), { connection, clock: systemClock, signal });
  }

  async function find(q: string, rest: Partial<SourceQuery> = {}): Promise<Place[]> {
    const page = await catalog.search({ q, page: 1, hl: "en", extra: false, ...rest }, new AbortController().signal);
    return [...page.listings];
  }

  async function names(q: string, rest: Partial<SourceQuery> = {}): Promise<string[]> {
    return (await find(q, rest)).map(({ name }) => name ?? "");
  }

  return { connection, db, index, catalog, load, find, names };
}

/** The indexes of records as the database has them. */
export async function recordIndexes(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ indexdef: string }>(sql`
    select indexdef
    from pg_indexes
    where tablename = 'catalog_records' and schemaname = current_schema()
    order by indexname
  `);
  return rows.map(({ indexdef }) => indexdef);
}
