import { excessIn } from "../../platform/json-shape.ts";
import { WebmapFailure } from "./failures.ts";
import { at, number, text } from "./values.ts";

/** The guard, which keeps data from being run as a script, is the first line or stands near it. */
const guardWithin = 512;
/** Data begins with a bracket. Guards hold none, but for an empty block, or in the words of a throw. */
const beginning = /\[|\{(?!\s*\})/;
const throwLine = /^\s*throw\b.*/;
/** What ends a call, a comment or a transmission around the data. */
const ending = /[\s\0;)*/"]+$/;
const endingWithin = 64;

/**
 * The data of an answer: JSON behind a line that keeps it from being run as a script, or the same as
 * text inside a small object.
 */
export function parseEnvelope(body: string): unknown {
  const outer = parse(unguarded(body));
  const inner = typeof outer === "object" && outer !== null && "d" in outer ? outer.d : undefined;
  return typeof inner === "string" ? parse(unguarded(inner)) : outer;
}

/** What stands between the guard, whatever it is, and the end of the data; all of it where no data is. */
function unguarded(body: string): string {
  const start = body.slice(0, guardWithin).replace(throwLine, (line) => " ".repeat(line.length));
  const from = start.search(beginning);
  if (from === -1 || /^\s*"/.test(start)) return body;
  const data = body.slice(from).trimEnd();
  return data.slice(0, -endingWithin) + data.slice(-endingWithin).replace(ending, "");
}

// A real answer of 190 KB has 7,000 lists, 17 deep, and no object. These are far above that, and keep
// parsing and reading below 50 ms: a megabyte of nested empty lists takes ten times as long.
const limits = { containersMax: 60_000, depthMax: 200, keysMax: 1_000 };
/** Up to here even the worst shape is parsed in time. */
const uncheckedBytesMax = 256 * 1024;

/** Refuses what would take long to parse. */
export function checkShape(body: Buffer): void {
  const excess = body.length <= uncheckedBytesMax ? undefined : excessIn(body, limits);
  if (excess !== undefined) throw new WebmapFailure("layout_unknown", { detail: ` (${excess})` });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new WebmapFailure("cut_off", { cause });
  }
}

export type Point = { latitude: number; longitude: number };

/** The request as the map repeats it: the query, of which blanks alone may be all, and where its camera stands. */
export function echoOf(root: unknown): { query: string | undefined; camera: Point | undefined } {
  const longitude = number(-180, 180)(at(root, [1, 0, 1]));
  const latitude = number(-90, 90)(at(root, [1, 0, 2]));
  const camera = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  const query = at(root, [0, 0]);
  return { query: typeof query === "string" ? (text(1000)(query) ?? "") : undefined, camera };
}
