import { WebmapFailure } from "./failures.ts";
import { at, number, text } from "./values.ts";

const guard = ")]}'";
/** The guard is the first line, or stands near it inside a wrapper. */
const guardWithin = 512;

/**
 * The data of an answer: JSON behind a line that keeps it from being run as a script, or the same as
 * text inside a small object.
 */
export function parseEnvelope(body: string): unknown {
  const start = body.slice(0, guardWithin).indexOf(guard);
  const isWrapped = /^\s*\{/.test(body);
  if (start >= 0 && !isWrapped) return parse(body.slice(start + guard.length));
  const outer = parse(isWrapped ? body.replace(/\/\*""\*\/\s*$/, "") : body);
  const inner = typeof outer === "object" && outer !== null && "d" in outer ? outer.d : undefined;
  if (typeof inner !== "string") return outer;
  return parse(inner.startsWith(guard) ? inner.slice(guard.length) : inner);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new WebmapFailure("cut_off", { cause });
  }
}

export type Point = { latitude: number; longitude: number };

/** What the map says it was asked: the query and where its camera stands. */
export function echoOf(root: unknown): { query: string | undefined; camera: Point | undefined } {
  const longitude = number(-180, 180)(at(root, [1, 0, 1]));
  const latitude = number(-90, 90)(at(root, [1, 0, 2]));
  const camera = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  return { query: text(1000)(at(root, [0, 0])), camera };
}
