import { WebmapFailure } from "./failures.ts";
import { at, number, text } from "./values.ts";

/** Some servers write a comma behind it. */
const guard = /\)\]\}',?/;
/** The guard is the first line, or stands near it inside a wrapper. */
const guardWithin = 512;

/**
 * The data of an answer: JSON behind a line that keeps it from being run as a script, or the same as
 * text inside a small object.
 */
export function parseEnvelope(body: string): unknown {
  const isWrapped = /^\s*\{/.test(body);
  if (!isWrapped) return parse(unguarded(body));
  const outer = parse(body.replace(/\/\*""\*\/\s*$/, ""));
  const inner = typeof outer === "object" && outer !== null && "d" in outer ? outer.d : undefined;
  return typeof inner === "string" ? parse(unguarded(inner)) : outer;
}

/** What stands behind the guard, or all of it where there is none. */
function unguarded(body: string): string {
  const found = guard.exec(body.slice(0, guardWithin));
  return found ? body.slice(found.index + found[0].length) : body;
}

// A real answer of 190 KB has 7,000 lists, 17 deep, and no object. These are far above that, and keep
// parsing and reading below 50 ms: a megabyte of nested empty lists takes ten times as long.
const listsMax = 60_000;
const depthMax = 200;
const keysMax = 1_000;
/** Up to here even the worst shape is parsed in time. */
const uncheckedBytesMax = 256 * 1024;

/** Refuses what would take long to parse. Brackets inside of texts count too: there are few. */
export function checkShape(body: Buffer): void {
  if (body.length <= uncheckedBytesMax) return;
  let lists = 0;
  let depth = 0;
  let keys = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === openBracket) {
      lists += 1;
      depth += 1;
      if (lists > listsMax || depth > depthMax) throw new WebmapFailure("layout_unknown", { detail: " (too nested)" });
    } else if (byte === closeBracket) depth -= 1;
    else if (byte === colon && body[index - 1] === quote) {
      keys += 1;
      if (keys > keysMax) throw new WebmapFailure("layout_unknown", { detail: " (objects)" });
    }
  }
}

const [openBracket, closeBracket, colon, quote] = [0x5b, 0x5d, 0x3a, 0x22];

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
