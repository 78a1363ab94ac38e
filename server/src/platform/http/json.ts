import { isUtf8 } from "node:buffer";

/** A body that cannot be read, with one sentence per violation. */
export class JsonProblem extends Error {
  readonly details: readonly string[];

  constructor(details: readonly string[]) {
    super(details.join("; "));
    this.name = "JsonProblem";
    this.details = details;
  }
}

/**
 * Reads JSON as strictly as two parties need who must agree on what was said: UTF-8 only, and no
 * name twice in one object, since readers differ on which of the two counts.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new JsonProblem(["the body is empty; send a JSON object"]);
  if (!isUtf8(bytes)) throw new JsonProblem(["the body is not UTF-8"]);
  const text = bytes.toString("utf8");
  const repeated = repeatedNames(text);
  if (repeated.length > 0) throw new JsonProblem(repeated.map((name) => `${name}: is given more than once`));
  return parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonProblem([`the body is not JSON: ${(error as Error).message.slice(0, 200)}`]);
  }
}

type Level = { names: Set<string> | undefined; name: string; index: number };

const repeatedMax = 20;
const nameShownMax = 200;
/** The deepest body is a collection's polygon, with seven levels. */
const levelsMax = 100;
/** No request has a hundred. What the MCP library says of 16,000 took 400 ms to find, and 4 MB to tell. */
const namesMax = 1_000;
/** A polygon of 10,000 points in three dimensions has 40,000. In 1 MiB of them, parsing took 200 ms. */
const valuesMax = 100_000;

/**
 * JSON pointers of the names that stand twice in one object. Reads any text, before it is parsed, and refuses one that
 * would take long to parse.
 */
function repeatedNames(text: string): string[] {
  const repeated: string[] = [];
  const levels: Level[] = [];
  let [names, values] = [0, 0];
  let expectsName = false;

  for (let at = 0; at < text.length && repeated.length < repeatedMax; at += 1) {
    const level = levels.at(-1);
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open({ names: new Set(), name: "", index: 0 });
        expectsName = true;
        break;
      case 0x5b: // [
        open({ names: undefined, name: "", index: 0 });
        expectsName = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop();
        expectsName = false;
        break;
      case 0x2c: // ,
        expectsName = level?.names !== undefined;
        if (level) level.index += 1;
        countValue();
        break;
      case 0x22: {
        // "
        const end = stringEnd(text, at);
        if (expectsName && level?.names) {
          names += 1;
          if (names > namesMax) throw new JsonProblem([`the body has more than ${namesMax} names; send fewer`]);
          level.name = nameOf(text.slice(at, end + 1));
          if (level.names.has(level.name)) repeated.push(pointer(levels));
          level.names.add(level.name);
          expectsName = false;
        }
        at = end;
        break;
      }
      default:
    }
  }
  return repeated;

  function open(level: Level) {
    if (levels.push(level) > levelsMax) {
      throw new JsonProblem([`the body is nested more than ${levelsMax} levels deep; send a flatter one`]);
    }
    countValue();
  }

  function countValue() {
    values += 1;
    if (values > valuesMax) throw new JsonProblem([`the body has more than ${valuesMax} values; send fewer`]);
  }
}

/** The index of the closing quote, or of the text's end where there is none. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}

function nameOf(quoted: string): string {
  return quoted.includes("\\") ? String(parse(quoted)) : quoted.slice(1, -1);
}

/** Long names are cut: one around twenty repeated names would stand in the answer twenty times. */
function pointer(levels: readonly Level[]): string {
  return levels
    .map(({ names, name, index }) => (names ? shortened(name).replaceAll("~", "~0").replaceAll("/", "~1") : index))
    .map((part) => `/${part}`)
    .join("");
}

function shortened(name: string): string {
  return name.length > nameShownMax ? `${name.slice(0, nameShownMax)}…` : name;
}
