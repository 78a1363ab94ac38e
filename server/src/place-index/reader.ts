import { DatabaseSync } from "node:sqlite";
import type { Identity } from "./index-file.ts";
import type { FoundPlace, Search } from "./port.ts";
import { createSearcher } from "./search.ts";

/** What a search thread is asked: plain data, that it can be sent. */
export type Ask =
  | { ask: "search"; search: Search }
  | { ask: "walk"; search: Search; after: number }
  | { ask: "records"; places: readonly number[] };

/** An answer is over by `until`, in milliseconds of the clock that all threads share, or when `stop` holds another number than 0. */
export type AnswerLimits = { until: number; stop: Int32Array };

const busyMs = 1_000;

/** Opens the file to search it. Throws what SQLite throws. */
export function openReader(path: string) {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
  db.exec("pragma query_only = on; pragma cache_size = -2048; pragma mmap_size = 0");
  const readIdentity = db.prepare("select value from meta where name = 'identity'");
  const readRecords = db.prepare("select place, business_id, revision, records from records where place = ?");
  let limits: AnswerLimits | undefined;
  const isOver = () => limits !== undefined && (now() >= limits.until || Atomics.load(limits.stop, 0) !== 0);
  const searcher = createSearcher(db, isOver);

  function identity(): Identity | null {
    const value = readIdentity.get()?.["value"];
    return typeof value === "string" ? (JSON.parse(value) as Identity) : null;
  }

  function answer(asked: Ask, within: AnswerLimits): unknown {
    limits = within;
    // One read transaction: a page is of one generation.
    db.exec("begin");
    try {
      if (asked.ask === "search") return searcher.search(asked.search);
      if (asked.ask === "walk") return searcher.walk(asked.search, asked.after);
      return asked.places.flatMap((place) => recordsOf(place) ?? []);
    } finally {
      limits = undefined;
      if (db.isTransaction) db.exec("rollback");
    }
  }

  function recordsOf(place: number): FoundPlace | undefined {
    const row = readRecords.get(place);
    if (!row) return undefined;
    return {
      place,
      businessId: String(row["business_id"]),
      revision: Number(row["revision"]),
      records: JSON.parse(String(row["records"])) as FoundPlace["records"],
    };
  }

  return { identity, answer, close: () => db.close() };
}

/** Milliseconds since a moment that is the same for all threads of the process. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
