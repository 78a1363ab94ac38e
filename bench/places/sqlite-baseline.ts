import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PlaceRecord } from "../../server/src/places/record.ts";
import { boxesAround, distanceM } from "../../server/src/geography/points.ts";
import { editDistance } from "../../server/src/text/edit-distance.ts";
import { wordsOf } from "../../server/src/text/words.ts";
import { type Asked, enoughFor, radiiOf } from "./questions.ts";
import { deletionsOf } from "./sql-baseline.ts";

/** The same questions to SQLite in this process: an R-Tree with the category as a dimension, and FTS5. */
export function openSqliteBaseline(folder: string, places: Iterable<PlaceRecord>) {
  const db = new DatabaseSync(join(folder, "baseline.sqlite"));
  db.exec(`
    pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -262144;
    create table places (id integer primary key, latitude real, longitude real, record text);
    create virtual table spots using rtree (id, south, north, west, east, kind, kind_too);
    create virtual table names using fts5 (name, content = '', prefix = '3 4');
    create table deletions (deletion text, token text, primary key (deletion, token)) without rowid;
  `);
  const kinds = fill(db, places);

  const byKind = db.prepare(`
    select p.record, p.latitude, p.longitude
    from spots s
    join places p on p.id = s.id
    where s.kind = ? and s.south >= ? and s.north <= ? and s.west >= ? and s.east <= ?`);
  const byName = db.prepare(`
    select p.record, p.latitude, p.longitude
    from names n
    join places p on p.id = n.rowid
    where names match ? and p.latitude between ? and ? and p.longitude between ? and ?`);
  const similar = db.prepare("select distinct token from deletions where deletion in (select value from json_each(?))");

  function ask(asked: Asked): Promise<number> {
    const match = asked.kind === "category" ? "" : matchFor(asked);
    let records: PlaceRecord[] = [];
    for (const radius of radiiOf(asked)) {
      const [box = [0, 0, 0, 0] as const] = boxesAround(asked, radius);
      const [south, west, north, east] = box;
      const rows =
        asked.kind === "category"
          ? byKind.all(kinds.get(asked.category) ?? 0, south, north, west, east)
          : byName.all(match, south, north, west, east);
      const near = rows
        .map((row) => ({
          record: String(row["record"]),
          away: distanceM(asked.latitude, asked.longitude, Number(row["latitude"]), Number(row["longitude"])),
        }))
        .filter(({ away }) => away <= radius)
        .sort((a, b) => a.away - b.away)
        .slice(0, 20);
      records = near.map(({ record }) => JSON.parse(record) as PlaceRecord);
      if (records.length >= enoughFor(asked)) break;
    }
    return Promise.resolve(records.length);
  }

  function matchFor({ kind, q }: Asked): string {
    if (kind === "prefix") return `"${q}"*`;
    const words = similar.all(JSON.stringify(deletionsOf(q))).map((row) => String(row["token"]));
    const meant = words.filter((word) => editDistance(q, word, 1) <= 1);
    return meant.length > 0 ? meant.map((word) => `"${word}"`).join(" or ") : '"-"';
  }

  return { ask, close: () => db.close() };
}

function fill(db: DatabaseSync, places: Iterable<PlaceRecord>): Map<string, number> {
  const kinds = new Map<string, number>();
  const words = new Set<string>();
  const place = db.prepare("insert into places values (?, ?, ?, ?)");
  const spot = db.prepare("insert into spots values (?, ?, ?, ?, ?, ?, ?)");
  const name = db.prepare("insert into names (rowid, name) values (?, ?)");
  const deletion = db.prepare("insert or ignore into deletions values (?, ?)");
  db.exec("begin");
  let id = 0;
  for (const record of places) {
    id += 1;
    const { latitude, longitude, categories } = record;
    const [category = ""] = categories;
    const kind = kinds.get(category) ?? kinds.size + 1;
    kinds.set(category, kind);
    place.run(id, latitude, longitude, JSON.stringify(record));
    spot.run(id, latitude, latitude, longitude, longitude, kind, kind);
    name.run(id, wordsOf(record.name).join(" "));
    for (const word of wordsOf(record.name)) words.add(word);
  }
  for (const word of words) for (const each of deletionsOf(word)) deletion.run(each, word);
  db.exec("commit; analyze");
  return kinds;
}
