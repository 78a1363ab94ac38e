import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { createObjects } from "./objects.ts";
import type { AreaRow, PlaceRow } from "./rows.ts";
import {
  allPlaces,
  buildTables,
  firstObject,
  type ListType,
  listTypes,
  placesPerCell,
  statuses,
  tables,
  tileShift,
} from "./schema.ts";
import { readCommon } from "./clauses.ts";
import { type Facts, factsOf, type FoundBy } from "./terms.ts";
import { createWeeks, oddHours } from "./weeks.ts";
import { keyOf } from "./keys.ts";
import { editKeys } from "./word-edits.ts";

/** Whose the file is and what it holds; a file without one is not finished. */
export type Identity = { installation: string; layout: number; generation: number; generationId: string };

const busyMs = 2_000;
/** Lists with fewer places are read as a whole. */
const denseMin = 256;
/** Terms that a build keeps the numbers of; the others are looked up in the file. */
const termsKept = 400_000;
const highestRank = 255;
/** Nobody reads a file that is built: its log may grow to 64 MB before it is copied. */
const buildPages = 16_384;

/** A new, empty file that nobody reads yet. */
export function createIndexFile(path: string) {
  closeSync(openSync(path, "wx", 0o600));
  const db = new DatabaseSync(path, { timeout: busyMs });
  db.exec("pragma journal_mode = wal");
  db.exec(tables);
  db.exec(buildTables);
  db.close();
  return openIndexFile(path);
}

/** The layout of a finished file. Throws what SQLite throws. */
export function layoutOf(path: string): number | undefined {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
  try {
    const value = db.prepare("select value from meta where name = 'identity'").get()?.["value"];
    return typeof value === "string" ? (JSON.parse(value) as Identity).layout : undefined;
  } finally {
    db.close();
  }
}

/** Opens a file to change it, or to go on with its build. Throws what SQLite throws. */
export function openIndexFile(path: string) {
  const db = new DatabaseSync(path, { timeout: busyMs });
  db.exec("pragma synchronous = normal; pragma cache_size = -65536; pragma mmap_size = 0");
  let isBuilding = hasTable(db, "building");
  if (isBuilding) db.exec(`pragma wal_autocheckpoint = ${buildPages}`);
  const statements = prepare(db, isBuilding);
  const terms = createTerms(db);
  const objects = createObjects(db);
  const weeks = createWeeks(db);
  const common = readCommon(db);
  const commonLists = new Set([...common].map((text) => terms.listOf({ type: "kind", text, isFirst: true })));

  function identity(): Identity | null {
    const row = statements.readIdentity.get();
    return row === undefined ? null : (JSON.parse(String(row["value"])) as Identity);
  }

  function lastPut(): number | null {
    const last = statements.lastPlace.get()?.["place"];
    return typeof last === "number" ? last : null;
  }

  function transaction<T>(work: () => T): T {
    db.exec("begin immediate");
    try {
      const result = work();
      db.exec("commit");
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec("rollback");
      terms.forget();
      objects.forget();
      weeks.forget();
      throw error;
    }
  }

  /** The same for work that waits for rows to write; nobody else uses this handle meanwhile. */
  async function longTransaction(work: () => Promise<void>): Promise<void> {
    db.exec("begin immediate");
    try {
      await work();
      db.exec("commit");
    } catch (error) {
      if (db.isTransaction) db.exec("rollback");
      terms.forget();
      objects.forget();
      weeks.forget();
      throw error;
    }
  }

  function put(places: readonly PlaceRow[]): void {
    for (const row of places) {
      if (!isBuilding) removeOne(row.place);
      const facts = factsOf(row);
      if (facts) putOne(row, facts);
    }
  }

  function putOne({ place, businessId, revision, records }: PlaceRow, facts: Facts): void {
    const foundBy = facts.foundBy.filter(({ text }) => !common.has(text));
    const termLists = foundBy.map((each) => terms.listOf(each));
    const within = objects.numbersOf(facts.areas);
    const lists = [...termLists, ...within];
    const keys = [...new Set(facts.keys.map(keyOf))];
    const { rank, week, status, confidence } = facts;
    statements.putFacts.run(
      place,
      Math.round(facts.latitude * 1e7),
      Math.round(facts.longitude * 1e7),
      rank,
      facts.countryCode,
      facts.nameWords,
      week && weeks.numberOf(week),
      statuses.indexOf(status),
      confidence,
    );
    statements.putLists.run(place, bytesOf(Uint32Array.from(lists)), bytesOf(Float64Array.from(keys)));
    statements.putRecords.run(place, businessId, revision, storedRecords(records));
    if (isBuilding) {
      statements.build.run(place, `[${lists.join(",")}]`);
      statements.buildKeys.run(place, `[${keys.join(",")}]`);
    } else {
      for (const key of keys) statements.putKey.run(key, place);
      for (const object of within) statements.countObject.run(1, object - firstObject);
      for (const [at, list] of termLists.entries()) {
        statements.putPosting.run(list, place);
        count(list, place, 1);
        if (foundBy[at]?.type === "kind") statements.putQuality.run(list, highestRank - rank, place);
      }
      if (rank > 0) statements.putQuality.run(allPlaces, highestRank - rank, place);
      count(allPlaces, place, 1);
    }
  }

  function remove(places: readonly number[]): void {
    for (const place of places) removeOne(place);
  }

  function removeOne(place: number): void {
    const known = statements.readLists.get(place);
    if (known === undefined) return;
    const lack = highestRank - Number(known["rank"]);
    for (const list of wordsIn(known["lists"])) {
      if (list >= firstObject) {
        statements.countObject.run(-1, list - firstObject);
        continue;
      }
      if (commonLists.has(list)) continue;
      statements.deletePosting.run(list, place);
      statements.deleteQuality.run(list, lack, place);
      count(list, place, -1);
    }
    statements.deleteQuality.run(allPlaces, lack, place);
    count(allPlaces, place, -1);
    for (const key of doublesIn(known["keys"])) statements.deleteKey.run(key, place);
    statements.deleteFacts.run(place);
    statements.deleteLists.run(place);
    statements.deleteRecords.run(place);
  }

  function count(list: number, place: number, by: 1 | -1): void {
    const isFirst = (list & 1) === 0;
    statements.countTerm.run(isFirst ? by : 0, isFirst ? 0 : by, list >>> 1);
    statements.countTile.run(by, list, tileOfPlace(place));
  }

  function replaceAreas(areas: readonly AreaRow[]): void {
    const replacing = objects.replacing();
    replacing.put(areas);
    replacing.end();
  }

  /** Ends a build step by step, so that one that was killed goes on. */
  function finish(whose: Identity): void {
    if (isBuilding) {
      for (const step of finishing) transaction(() => db.exec(step));
      transaction(() => {
        putEdits(db);
        db.exec("drop table building; drop table building_keys");
      });
      isBuilding = false;
    }
    db.exec("analyze; pragma wal_autocheckpoint = 1000");
    transaction(() => setIdentity(whose));
    checkpoint();
  }

  function setIdentity(whose: Identity): void {
    statements.writeIdentity.run(JSON.stringify(whose));
  }

  function checkpoint(): void {
    db.exec("pragma wal_checkpoint(restart)");
  }

  return {
    identity,
    lastPut,
    transaction,
    longTransaction,
    put,
    remove,
    replaceAreas,
    replacingAreas: objects.replacing,
    finish,
    setIdentity,
    checkpoint,
    close: () => void (db.isOpen && db.close()),
  };
}

/** Hours that more than one place in so many has are looked up place by place. */
const commonShare = 20;
const isOddHours = `type = ${numberOf("kind")} and text in (${[...oddHours.keys()].map((id) => `'${id}'`).join(", ")})`;

/** What makes lists of what was read, each in a transaction; one that is done leaves nothing for the next time. */
const finishing = [
  `update objects
   set places = counted.places
   from (select list, count(*) as places from building where list >= ${firstObject} group by list) counted
   where object = counted.list - ${firstObject}`,
  `insert or ignore into postings
   select list, place from building where list < ${firstObject} order by list, place;
   delete from building`,
  "insert or ignore into exact select key, place from building_keys order by key, place; delete from building_keys",
  `update terms
   set firsts = (select count(*) from postings where list = terms.term * 2),
     others = (select count(*) from postings where list = terms.term * 2 + 1)`,
  // Only what few places have leads to them; it stays noted when a build that was killed goes on.
  `insert or ignore into meta
   select 'common', json_group_array(text)
   from terms
   where ${isOddHours} and firsts * ${commonShare} > (select count(*) from facts);
   delete from postings
   where list in (select t.term * 2 from terms t cross join json_each((select value from meta where name = 'common')) c
     where t.type = ${numberOf("kind")} and t.text = c.value);
   update terms
   set firsts = 0
   where ${isOddHours} and text in (select value from json_each((select value from meta where name = 'common')))`,
  `insert or ignore into by_quality
   select p.list, ${highestRank} - f.rank, p.place
   from terms t cross join postings p cross join facts f
   where t.type = ${numberOf("kind")} and p.list in (t.term * 2, t.term * 2 + 1) and f.place = p.place`,
  `insert or ignore into by_quality select ${allPlaces}, ${highestRank} - rank, place from facts where rank > 0`,
  `insert or replace into density
   select ${allPlaces}, place / ${placesPerCell * 2 ** tileShift}, count(*) from facts group by 2`,
  `insert or replace into density
   select p.list, p.place / ${placesPerCell * 2 ** tileShift}, count(*)
   from terms t cross join postings p
   where (t.firsts >= ${denseMin} and p.list = t.term * 2) or (t.others >= ${denseMin} and p.list = t.term * 2 + 1)
   group by 1, 2`,
];

const mistyped = ["word", "brand"] as const satisfies ListType[];

function numberOf(type: ListType): number {
  return listTypes.indexOf(type);
}

/** Every word and brand by what may be left of it when it is mistyped. */
function putEdits(db: DatabaseSync): void {
  db.exec("create temporary table edits (edit integer not null, term integer not null)");
  const put = db.prepare("insert into edits values (?, ?)");
  const all = db.prepare("select term, text from terms where type in (?, ?)");
  for (const { term, text } of all.iterate(...mistyped.map(numberOf)))
    for (const edit of editKeys(String(text))) put.run(edit, Number(term));
  db.exec("insert or ignore into term_edits select edit, term from edits order by edit, term; drop table edits");
}

/** The lists of terms, with their numbers; a term gets one when it is first met. */
function createTerms(db: DatabaseSync) {
  const find = db.prepare("select term from terms where text = ? and type = ?");
  const insert = db.prepare("insert into terms (type, text) values (?, ?)");
  const putEdit = db.prepare("insert or ignore into term_edits values (?, ?)");
  const hasEdits = !hasTable(db, "building");
  const known = new Map(listTypes.map((type) => [type, new Map<string, number>()]));

  function listOf({ type, text, isFirst }: FoundBy): number {
    return termOf(type, text) * 2 + (isFirst ? 0 : 1);
  }

  function termOf(type: ListType, text: string): number {
    const ofType = known.get(type);
    let term = ofType?.get(text);
    if (term === undefined) {
      if (ofType && ofType.size >= termsKept) ofType.clear();
      ofType?.set(text, (term = readTerm(type, text)));
    }
    return term ?? 0;
  }

  function readTerm(type: ListType, text: string): number {
    const found = find.get(text, numberOf(type))?.["term"];
    if (typeof found === "number") return found;
    const term = Number(insert.run(numberOf(type), text).lastInsertRowid);
    if (hasEdits && (type === "word" || type === "brand")) for (const edit of editKeys(text)) putEdit.run(edit, term);
    return term;
  }

  return { listOf, forget: () => known.forEach((ofType) => ofType.clear()) };
}

function prepare(db: DatabaseSync, isBuilding: boolean) {
  const make = (text: string): StatementSync => db.prepare(text);
  return {
    readIdentity: make("select value from meta where name = 'identity'"),
    writeIdentity: make("insert or replace into meta values ('identity', ?)"),
    lastPlace: make("select max(place) as place from facts"),
    putFacts: make("insert into facts values (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    putLists: make("insert into place_lists values (?, ?, ?)"),
    putRecords: make("insert into records values (?, ?, ?, ?)"),
    putKey: make("insert or ignore into exact values (?, ?)"),
    build: make(isBuilding ? "insert into building select value, ?1 from json_each(?2)" : "select ?1, ?2"),
    buildKeys: make(isBuilding ? "insert into building_keys select value, ?1 from json_each(?2)" : "select ?1, ?2"),
    putPosting: make("insert or ignore into postings values (?, ?)"),
    putQuality: make("insert or ignore into by_quality values (?, ?, ?)"),
    readLists: make(
      "select lists, keys, rank from place_lists l cross join facts f where l.place = ? and f.place = l.place",
    ),
    deletePosting: make("delete from postings where list = ? and place = ?"),
    deleteQuality: make("delete from by_quality where list = ? and lack = ? and place = ?"),
    deleteKey: make("delete from exact where key = ? and place = ?"),
    deleteFacts: make("delete from facts where place = ?"),
    deleteLists: make("delete from place_lists where place = ?"),
    deleteRecords: make("delete from records where place = ?"),
    countObject: make("update objects set places = places + ? where object = ?"),
    countTerm: make("update terms set firsts = firsts + ?, others = others + ? where term = ?"),
    countTile: make("update density set places = places + ? where list = ? and tile = ?"),
  };
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;
}

/** What a listing is made from: data set, country, areas and the record of each, as JSON. */
function storedRecords(records: PlaceRow["records"]): string {
  const parts = records.map(
    ({ dataSetId, countryCode, areas, text }) =>
      `[${dataSetId},${JSON.stringify(countryCode)},${JSON.stringify(areas)},${text}]`,
  );
  return `[${parts.join(",")}]`;
}

function bytesOf(values: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.buffer);
}

function wordsIn(value: unknown): Uint32Array {
  return value instanceof Uint8Array ? new Uint32Array(aligned(value)) : new Uint32Array();
}

function doublesIn(value: unknown): Float64Array {
  return value instanceof Uint8Array ? new Float64Array(aligned(value)) : new Float64Array();
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  const copy = new Uint8Array(bytes.byteLength);
  copy.set(bytes);
  return copy.buffer;
}

function tileOfPlace(place: number): number {
  return Math.floor(place / (placesPerCell * 2 ** tileShift));
}
