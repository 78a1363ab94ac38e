import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { defer } from "../../../test/defer.ts";
import { createTestDatabase } from "../../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../../test/temp-folder.ts";
import { type Log, silentLog } from "../../platform/log.ts";
import { createDatabase, type Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { createFollowing, type FollowDeps } from "./follow.ts";
import { openIndexFolder } from "./folder.ts";
import type { FollowerState } from "./follower-state.ts";

type Change = {
  /** Names by place. */
  put?: Record<number, string>;
  remove?: number[];
  areas?: string[];
  /** Whether the generation lists what it changes. */
  isListed?: boolean;
  /** What happens before the commit. */
  meanwhile?: () => Promise<void>;
};

/** A catalog in PostgreSQL, of places that have a name and nothing else. */
export async function givenPlaces(t: TestContext) {
  const { connection, drop } = await createTestDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  defer(t, async () => {
    await db.end();
    await drop();
  });
  await createDataSet(db);
  return { connection, db, change: (change: Change) => changePlaces(db, change) };
}

/** As many places as this, called `Place 1` and so on. */
export function placesNamed(count: number, name = "Place"): Record<number, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, `${name} ${index + 1}`]));
}

async function createDataSet(db: Database): Promise<void> {
  for (const text of [
    sql`insert into catalog_data_sets (name, origin, imported_at) values ('test', 'test.file', now())`,
    sql`update catalog_state set last_number = 1000000000`,
  ])
    await db.query(text);
}

/** One generation further, in one transaction. */
async function changePlaces(db: Database, change: Change): Promise<number> {
  const { put = {}, remove = [], areas, isListed = true, meanwhile } = change;
  const places = Object.keys(put).map(Number);
  const records = places.map((place) => recordOf(put[place] ?? ""));
  return db.transaction(async (tx) => {
    const gone = [...places, ...remove];
    await tx.query(sql`delete from catalog_places where place = any(${gone}::bigint[])`);
    await tx.query(sql`delete from catalog_records where number = any(${gone}::integer[])`);
    await tx.query(sql`
      insert into catalog_records (number, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude,
        country_code, rank, name_words, other_words, categories, contacts, record, place)
      select number, (select id from catalog_data_sets), 'test:' || number, 'test', gen_random_uuid(), 0, 47.14, 9.52,
        'LI', 10, words, '', '{}', '{}', record, number
      from unnest(${places}::integer[], ${Object.values(put).map((name) => name.toLowerCase())}::text[],
        ${records}::text[]) as t (number, words, record)
    `);
    await tx.query(sql`
      insert into catalog_places (place, lead, business_id, revision)
      select number, number, gen_random_uuid(), 1
      from unnest(${places}::integer[]) as t (number)
    `);
    if (areas) await replaceAreas(tx, areas);
    const { rows } = await tx.query<{ generation: number }>(sql`
      insert into catalog_generations (generation, id, places)
      select generation + 1, ${randomUUID()}, ${isListed ? gone : null}::bigint[] from catalog_state
      returning generation
    `);
    const generation = rows[0]?.generation ?? 0;
    await tx.query(sql`update catalog_state set generation = ${generation}`);
    await meanwhile?.();
    return generation;
  });
}

async function replaceAreas(tx: Pick<Database, "query">, names: readonly string[]): Promise<void> {
  await tx.query(sql`delete from catalog_areas`);
  await tx.query(sql`
    insert into catalog_areas (data_set_id, source_id, name, names, kind, latitude, longitude, hash)
    select (select id from catalog_data_sets), 'area:' || name, name, array[lower(name)], 'town', 47.14, 9.52,
      md5(name)::uuid
    from unnest(${names}::text[]) as t (name)
  `);
}

function recordOf(name: string): string {
  const address = { street: null, city: null, region: null, postalCode: null, countryCode: "LI" };
  return JSON.stringify({
    sourceId: "test:1",
    name,
    namesByLanguage: {},
    otherNames: [],
    categories: [],
    categoryLabels: [],
    latitude: 47.14,
    longitude: 9.52,
    address,
    details: {},
  });
}

/** The path of an index folder that nobody has made. */
export async function givenFolderPath(t: TestContext): Promise<string> {
  const path = await makeTempFolder();
  defer(t, () => removeFolder(path));
  return join(path, "index");
}

type GivenFollowing = { db: Database; path: string; log?: Log } & Partial<
  Pick<FollowDeps, "folder" | "placesPerBatch">
>;

/** What follows in this process, step by step. */
export function givenFollowing(t: TestContext, { path, log = silentLog, ...rest }: GivenFollowing) {
  const folder = rest.folder ?? openIndexFolder(path);
  const states: FollowerState[] = [];
  const following = createFollowing({ log, ...rest, folder, report: (state) => void states.push(state) });
  defer(t, following.close);
  const never = new AbortController().signal;
  return {
    ...following,
    folder,
    states,
    step: (signal = never) => following.step(signal),
    /** Until the file is as the catalog. */
    async settle() {
      for (let steps = 0; steps < 5; steps += 1) await following.step(never);
      return states.at(-1);
    },
  };
}

export type Following = ReturnType<typeof givenFollowing>;

/** What searches would read: the generation, and the names of places and areas. */
export function contentsOf({ folder }: Pick<Following, "folder">) {
  const name = folder.current();
  if (name === undefined || !existsSync(folder.pathOf(name))) return undefined;
  const db = new DatabaseSync(folder.pathOf(name), { readOnly: true });
  try {
    const [identity] = db.prepare("select value from meta where name = 'identity'").all();
    const records = db.prepare("select place, records from records order by place").all();
    const areas = db.prepare("select distinct phrase from names order by 1").all();
    return {
      generation: (JSON.parse(String(identity?.["value"])) as { generation: number }).generation,
      places: Object.fromEntries(records.map((row) => [Number(row["place"]), namesIn(String(row["records"]))])),
      areas: areas.map((row) => String(row["phrase"])),
    };
  } finally {
    db.close();
  }
}

function namesIn(records: string): string {
  return Array.from(records.matchAll(/"name":"([^"]*)"/g), ([, name]) => name).join(" + ");
}
