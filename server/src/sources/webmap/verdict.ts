import type { SourceQuery } from "../source.ts";
import { distanceM } from "../../geography/points.ts";
import { readTyped } from "../../query/typed.ts";
import { editDistance, typosBetween } from "../../text/edit-distance.ts";
import { normalize } from "../../text/normalize.ts";
import { echoOf, type Point } from "./envelope.ts";
import { WebmapFailure } from "./failures.ts";
import { daysTold } from "./hours.ts";
import type { SearchAnswer, WebmapRecord } from "./records.ts";
import { cameraOf } from "./request.ts";
import { at, number, stars, text } from "./values.ts";

/** An answer this far from the query's point is for another city. */
const farM = 30_000;
/** Or so many times what the window shows, where that is more. */
const farWindows = 3;

/** Says what a page of records is worth; throws when the answer is not for the query. */
export function verdictOn(root: unknown, answer: SearchAnswer, query: SourceQuery): "ok" | "empty" | "trimmed" {
  const { records, unreadableCount } = answer;
  if (unreadableCount > records.length) throw new WebmapFailure("layout_unknown", { detail: unread(answer) });
  const { query: echoed, camera } = echoOf(root);
  if (records.length === 0) {
    // The map proves that it has none by an empty list, the query, and where it looked.
    const isProved = answer.isEmptyList && camera !== undefined && repeats(echoed, query.q);
    if (!isProved) throw new WebmapFailure("layout_unknown");
    if (isFar(camera, query) && !namesPlace(query, records)) throw new WebmapFailure("wrong_place");
    return "empty";
  }
  // Around a cell of a collection there may be nothing: the camera shows that the map looked there, and the caller clips.
  const hasLooked = query.within !== undefined && camera !== undefined && !isFar(camera, query);
  const center = centerOf(records) ?? camera;
  if (center && !hasLooked && isFar(center, query) && !namesPlace(query, records)) {
    throw new WebmapFailure("wrong_place");
  }
  return unreadableCount > 0 || withholdsFields(records) ? "trimmed" : "ok";
}

/** The map leaves out review counts, or all days but one, when it gives less than it has. */
export function withholdsFields(records: readonly WebmapRecord[]): boolean {
  const rated = records.filter((record) => stars(at(record, [4, 7])) !== undefined);
  if (rated.length > 0 && rated.every((record) => (at(record, [4, 8]) ?? null) === null)) return true;
  const days = records.map(daysTold).filter((count) => count > 0);
  return days.length > 0 && days.every((count) => count < 7);
}

function unread({ records, unreadableCount }: SearchAnswer): string {
  return ` (${unreadableCount} of ${unreadableCount + records.length} rows)`;
}

/** The map may write a query in its own case and spacing, and without typos: most of the words are the same, or alike. */
function repeats(echoed: string | undefined, q: string): boolean {
  if (echoed === undefined) return false;
  const [asked, answered] = [normalize(text(1000)(q.toWellFormed()) ?? ""), normalize(echoed)];
  if (asked.join("") === answered.join("")) return true;
  const known = asked.filter((word) => answered.some((other) => isAlike(word, other)));
  return known.length * 2 > asked.length;
}

function isAlike(word: string, other: string): boolean {
  const editsMax = typosBetween(word.length, other.length);
  return editDistance(word, other, editsMax) <= editsMax;
}

function isFar(point: Point, { ll }: SourceQuery): boolean {
  const camera = ll === undefined ? undefined : cameraOf(ll);
  if (!camera) return false;
  const distance = distanceM(camera.latitude, camera.longitude, point.latitude, point.longitude);
  return distance > Math.max(farM, farWindows * camera.diameterM);
}

/** The middle record's place in each direction: one stray row does not move it. */
function centerOf(records: readonly WebmapRecord[]): Point | undefined {
  const middle = (path: readonly number[], max: number) => {
    const values = records.flatMap((record) => number(-max, max)(at(record, path)) ?? []);
    return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  };
  const [latitude, longitude] = [middle([9, 2], 90), middle([9, 3], 180)];
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/**
 * A query that names a place, or the one business it means, wins over where the window is. Which place
 * the map takes a name for is the map's to say: addresses in Athens need not have "Athens" in them.
 */
function namesPlace({ q, hl }: SourceQuery, records: readonly WebmapRecord[]): boolean {
  const { where, rest, categories } = readTyped(q, hl);
  if (where !== null) return true;
  const others = longWordsOf(rest);
  const hasOther = (words: ReadonlySet<string>) => others.some((word) => words.has(word));
  // "Coffee Athens": words beside a kind that no row is called by are where to look for it.
  const isBesideKind = categories.length > 0 && others.length > 0;
  if (isBesideKind && !records.some((record) => hasOther(wordsOf(record[11])))) return true;
  if (records.some((record) => hasOther(addressWordsOf(record)))) return true;
  const [only] = records;
  const words = longWordsOf(q);
  const name = records.length === 1 ? wordsOf(only?.[11]) : new Set<string>();
  return words.length > 0 && words.every((word) => name.has(word));
}

const wordMin = 3;

function longWordsOf(typed: string): string[] {
  return normalize(typed).filter((word) => word.length >= wordMin);
}

function addressWordsOf(record: WebmapRecord): Set<string> {
  const parts = [at(record, [39]), at(record, [183, 1, 3]), at(record, [183, 1, 5])];
  return wordsOf(parts.filter((part) => typeof part === "string").join(" "));
}

function wordsOf(value: unknown): Set<string> {
  return new Set(typeof value === "string" ? normalize(value.slice(0, 1000)) : []);
}
