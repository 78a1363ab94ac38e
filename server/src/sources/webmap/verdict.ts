import type { SourceQuery } from "../source.ts";
import { distanceM } from "../geo.ts";
import { isPreposition } from "../query/languages.ts";
import { splitsOf } from "../query/split.ts";
import { segmentsOf } from "../query/words.ts";
import { normalize } from "../vocabulary/index.ts";
import { echoOf, type Point } from "./envelope.ts";
import { WebmapFailure } from "./failures.ts";
import { daysTold } from "./hours.ts";
import type { WebmapRecord } from "./records.ts";
import { cameraOf } from "./request.ts";
import { at, listAt, number } from "./values.ts";

/** An answer this far from the query's point is for another city. */
const farM = 30_000;
/** Or so many times what the window shows, where that is more. */
const farWindows = 3;

/** Says what a page of records is worth; throws when the answer is not for the query. */
export function verdictOn(
  root: unknown,
  records: readonly WebmapRecord[],
  query: SourceQuery,
): "ok" | "empty" | "trimmed" {
  const { query: echoed, camera } = echoOf(root);
  if (records.length === 0) {
    // The map proves that it has none by repeating the query and where it looked.
    if (echoed === undefined || camera === undefined || hasEntries(root)) throw new WebmapFailure("layout_unknown");
    if (isFar(camera, query) && !namesSomewhere(query)) throw new WebmapFailure("wrong_place");
    return "empty";
  }
  const center = centerOf(records) ?? camera;
  if (center && isFar(center, query) && !namesThePlace(query.q, records)) throw new WebmapFailure("wrong_place");
  return isTrimmed(records) ? "trimmed" : "ok";
}

/** Entries that are no records to us are a layout we do not know, and no proof that there are none. */
function hasEntries(root: unknown): boolean {
  const listed = listAt(root, [0, 1]).some((entry, slot) => slot > 0 || Array.isArray(at(entry, [14])));
  return listed || listAt(root, [64]).length > 0;
}

/** The map leaves out review counts, or all days but one, when it gives less than it has. */
function isTrimmed(records: readonly WebmapRecord[]): boolean {
  const rated = records.filter((record) => typeof at(record, [4, 7]) === "number");
  if (rated.length > 0 && rated.every((record) => typeof at(record, [4, 8]) !== "number")) return true;
  const days = records.map(daysTold).filter((count) => count > 0);
  return days.length > 0 && days.every((count) => count < 7);
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

/** A preposition or a comma before a place, wherever that is. */
function namesSomewhere({ q, hl }: SourceQuery): boolean {
  const [first] = splitsOf(segmentsOf(q), (word) => isPreposition(word, hl));
  return first?.mark === "preposition" || first?.mark === "comma";
}

const wordMin = 3;

/** A query that names a place, or the one business it means, wins over where the window is. */
function namesThePlace(q: string, records: readonly WebmapRecord[]): boolean {
  const words = normalize(q).filter((word) => word.length >= wordMin);
  const [only, ...others] = records;
  if (only && others.length === 0 && words.length > 0) {
    const name = wordsOf(only[11]);
    if (words.every((word) => name.has(word))) return true;
  }
  return records.some((record) => {
    const address = wordsOf([at(record, [39]), at(record, [183, 1, 3]), at(record, [183, 1, 5])].join(" "));
    return words.some((word) => address.has(word));
  });
}

function wordsOf(value: unknown): Set<string> {
  return new Set(typeof value === "string" ? normalize(value.slice(0, 1000)) : []);
}
