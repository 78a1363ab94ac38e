import { DatabaseSync } from "node:sqlite";
import type { Box } from "../geography/points.ts";
import type { Identity } from "./index-file.ts";
import { createLookup } from "./names.ts";
import { type FoundPlace, type Limits, now, type PlaceIndex, type Search } from "./port.ts";
import { createSearcher } from "./search.ts";

/** What a search thread is asked: plain data, that it can be sent. */
export type Ask =
  | { ask: "generation" }
  | { ask: "lookup"; phrases: readonly string[]; edits: 0 | 1 | 2 }
  | { ask: "search"; search: Search }
  | { ask: "walk"; search: Search; after: number }
  | { ask: "density"; boxes: readonly Box[]; shift: number }
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
  const lookup = createLookup(db);

  function identity(): Identity | null {
    const value = readIdentity.get()?.["value"];
    return typeof value === "string" ? (JSON.parse(value) as Identity) : null;
  }

  /** The answer and the generation it is of. */
  function answer(asked: Ask, within: AnswerLimits): object {
    limits = within;
    // One read transaction: a page is of one generation.
    db.exec("begin");
    try {
      const generation = identity()?.generation ?? 0;
      return { generation, ...contentOf(asked) };
    } finally {
      limits = undefined;
      if (db.isTransaction) db.exec("rollback");
    }
  }

  function contentOf(asked: Ask): object {
    if (asked.ask === "generation") return {};
    if (asked.ask === "lookup") return { names: lookup(asked.phrases, asked.edits) };
    if (asked.ask === "search") return searcher.search(asked.search);
    if (asked.ask === "walk") return { hits: searcher.walk(asked.search, asked.after) };
    if (asked.ask === "density") return { tiles: searcher.density(asked.boxes, asked.shift) };
    return { places: asked.places.flatMap((place) => recordsOf(place) ?? []) };
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

/** The place index behind whatever carries questions to a reader and answers back. */
export function placeIndexOf(send: (ask: Ask, limits: Limits) => Promise<unknown>): PlaceIndex {
  const ask = <Answer>(asked: Ask, limits: Limits) => send(asked, limits) as Promise<Answer>; // what contentOf answers
  return {
    generation: async (limits) => (await ask<{ generation: number }>({ ask: "generation" }, limits)).generation,
    lookup: (phrases, edits, within) => ask({ ask: "lookup", phrases, edits }, within),
    search: (search, limits) => ask({ ask: "search", search }, limits),
    walk: (search, after, limits) => ask({ ask: "walk", search, after }, limits),
    density: (boxes, shift, limits) => ask({ ask: "density", boxes, shift }, limits),
    records: (places, limits) => ask({ ask: "records", places }, limits),
  };
}

/** Where nobody searches. */
export const noPlaceIndex = placeIndexOf(async () => {
  throw new Error("Nothing searches here.");
});
