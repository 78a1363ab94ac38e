import pg from "pg";
import { newUuid } from "../../server/src/platform/ids.ts";
import { type BulkConnection, openBulkConnection } from "../../server/src/platform/postgres/bulk.ts";
import { copyText } from "../../server/src/platform/postgres/copy-text.ts";
import { clientConfig, type Connection } from "../../server/src/platform/postgres/database.ts";
import type { PlaceRecord } from "../../server/src/places/record.ts";
import { boxesAround, distanceM } from "../../server/src/geography/points.ts";
import { editDistance } from "../../server/src/text/edit-distance.ts";
import { wordsOf } from "../../server/src/text/words.ts";
import { type Asked, enoughFor, radiiOf } from "./questions.ts";

// Tiles of zoom 10: about 39 km at the equator.
const tilesPerSide = 1_024;

/** The same questions as plain SQL through pg: a GiST index on category and point, a token table by tile. */
export async function openSqlBaseline(connection: Connection, places: () => Iterable<PlaceRecord>) {
  const bulk = await openBulkConnection(connection, new AbortController().signal);
  await fill(bulk, places);
  await bulk.end();
  const pool = new pg.Pool({ ...clientConfig(connection), max: 10 });
  pool.on("error", () => undefined); // the next statement fails with it

  const statements = {
    category: `
      select id, record, latitude, longitude
      from bare_places
      where category = $1 and location <@ box(point($2, $3), point($4, $5))`,
    tokens: `
      select p.id, p.record, p.latitude, p.longitude
      from bare_tokens t
      join bare_places p on p.id = t.place
      where t.cell = any($1) and t.token = any($2)`,
    prefix: `
      select p.id, p.record, p.latitude, p.longitude
      from bare_tokens t
      join bare_places p on p.id = t.place
      where t.cell = any($1) and t.token >= $2 and t.token < $3`,
    named: `
      select p.id, p.record, p.latitude, p.longitude
      from (
        select place
        from bare_tokens
        where token = any($1)
        group by place
        having count(*) = $2
      ) named
      join bare_places p on p.id = named.place`,
    typos: "select distinct token from bare_deletions where deletion = any($1)",
  };
  const nearest = `order by (latitude - $A) ^ 2 + ((longitude - $B) * cos(radians($A))) ^ 2 limit 20`;

  async function run(name: keyof typeof statements, values: unknown[], asked?: Asked) {
    const [a, b] = [values.length + 1, values.length + 2];
    const order = nearest.replaceAll("$A", `$${a}::float8`).replaceAll("$B", `$${b}::float8`);
    const text = asked
      ? `select id, record, latitude, longitude from (${statements[name]}) found ${order}`
      : statements[name];
    const all = asked ? [...values, asked.latitude, asked.longitude] : values;
    return (await pool.query({ name, text, values: all })).rows;
  }

  /** As far as the service looks: the nearest twenty, from ever farther away while there are fewer. */
  async function ask(asked: Asked): Promise<number> {
    if (asked.kind === "name") {
      const tokens = [...new Set(wordsOf(asked.q))];
      return (await run("named", [tokens, tokens.length], asked)).map((row) => JSON.parse(row.record)).length;
    }
    const words = asked.kind === "typo" ? await corrected(asked.q) : [];
    let records: PlaceRecord[] = [];
    for (const radius of radiiOf(asked)) {
      const [box = [0, 0, 0, 0] as const] = boxesAround(asked, radius);
      const rows =
        asked.kind === "category"
          ? await run("category", [asked.category, box[1], box[0], box[3], box[2]], asked)
          : asked.kind === "prefix"
            ? await run("prefix", [tilesOf(box), asked.q, `${asked.q}\uffff`], asked)
            : await run("tokens", [tilesOf(box), words], asked);
      const within = rows.filter(
        (row) => distanceM(asked.latitude, asked.longitude, row.latitude, row.longitude) <= radius,
      );
      records = within.map((row) => JSON.parse(row.record) as PlaceRecord);
      if (records.length >= enoughFor(asked)) break;
    }
    return records.length;
  }

  async function corrected(word: string): Promise<string[]> {
    const rows = await run("typos", [deletionsOf(word)]);
    return rows.map(({ token }) => token as string).filter((token) => editDistance(word, token, 1) <= 1);
  }

  /** The same, and one unit taken for it, as durably as the service does: what a paid answer costs at least. */
  async function askAndCharge(asked: Asked): Promise<number> {
    const found = await ask(asked);
    await pool.query({ name: "charge", text: charge, values: [`search/${newUuid()}`] });
    return found;
  }

  return { ask, askAndCharge, close: () => pool.end() };
}

const charge = `
  with counted as (
    update bare_usage
    set used = used + 1
    returning organization
  )
  insert into bare_ledger (organization, units, reference, created_at)
  select organization, 1, $1, now()
  from counted`;

async function fill(bulk: BulkConnection, places: () => Iterable<PlaceRecord>) {
  await bulk.execute(`
    create extension if not exists btree_gist;
    create table bare_places (
      id integer primary key, category text not null, latitude float8 not null, longitude float8 not null,
      location point not null, record text not null
    );
    create table bare_tokens (cell integer not null, token text collate "C" not null, place integer not null);
    create table bare_deletions (deletion text collate "C" not null, token text not null);
    create table bare_usage (organization uuid primary key, used bigint not null) with (fillfactor = 50);
    create table bare_ledger (
      id bigint generated always as identity primary key, organization uuid not null, units bigint not null,
      reference text not null unique, created_at timestamptz not null
    );
    insert into bare_usage values (gen_random_uuid(), 0);
    create temporary table bare_stage (like bare_places);
  `);
  const words = new Set<string>();
  async function* rows() {
    let id = 0;
    for (const record of places()) {
      id += 1;
      const { latitude, longitude } = record;
      const point = `(${longitude},${latitude})`;
      yield [id, record.categories[0] ?? "", latitude, longitude, point, JSON.stringify(record)];
    }
  }
  async function* tokens(): AsyncIterable<[number, string, number]> {
    let id = 0;
    for (const record of places()) {
      id += 1;
      for (const word of new Set(wordsOf(record.name))) {
        yield [tileOf(record.latitude, record.longitude), word, id];
        words.add(word);
      }
    }
  }
  await bulk.copy("bare_stage (id, category, latitude, longitude, location, record)", copyText(rows()));
  // Neighbors lie together, as in the catalog: otherwise the baseline would pay for scattered pages.
  await bulk.execute("insert into bare_places select * from bare_stage order by floor(latitude * 50), longitude");
  await bulk.copy("bare_tokens (cell, token, place)", copyText(tokens()));
  await bulk.copy("bare_deletions (deletion, token)", copyText(deletionRows(words)));
  await bulk.execute(`
    create index on bare_places using gist (category, location);
    create index on bare_tokens (cell, token) include (place);
    create index on bare_tokens (token, place);
    create index on bare_deletions (deletion) include (token);
    analyze bare_places; analyze bare_tokens; analyze bare_deletions;
  `);
}

async function* deletionRows(words: Iterable<string>): AsyncIterable<[string, string]> {
  for (const word of words) for (const deletion of deletionsOf(word)) yield [deletion, word];
}

/** The word and what is left of it without one of its letters. */
export function deletionsOf(word: string): string[] {
  const all = new Set([word]);
  for (let at = 0; at < word.length; at += 1) all.add(word.slice(0, at) + word.slice(at + 1));
  return [...all];
}

function tileOf(latitude: number, longitude: number): number {
  const row = Math.floor(((latitude + 90) / 180) * tilesPerSide);
  return row * tilesPerSide + Math.floor(((longitude + 180) / 360) * tilesPerSide);
}

function tilesOf([south, west, north, east]: readonly [number, number, number, number]): number[] {
  const tiles = new Set<number>();
  const step = 180 / tilesPerSide;
  for (let latitude = south; ; latitude = Math.min(north, latitude + step)) {
    for (let longitude = west; ; longitude = Math.min(east, longitude + step)) {
      tiles.add(tileOf(latitude, longitude));
      if (longitude >= east) break;
    }
    if (latitude >= north) break;
  }
  return [...tiles];
}
