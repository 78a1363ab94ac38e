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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonProblem([`the body is not JSON: ${(error as Error).message.slice(0, 200)}`]);
  }
  const repeated = repeatedNames(text);
  if (repeated.length > 0) throw new JsonProblem(repeated.map((name) => `${name}: is given more than once`));
  return value;
}

type Level = { names: Set<string> | undefined; name: string; index: number };

const repeatedMax = 20;

/** JSON pointers of the names that stand twice in one object. The text must be valid JSON. */
function repeatedNames(text: string): string[] {
  const repeated: string[] = [];
  const levels: Level[] = [];
  let expectsName = false;

  for (let at = 0; at < text.length && repeated.length < repeatedMax; at += 1) {
    const level = levels.at(-1);
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        levels.push({ names: new Set(), name: "", index: 0 });
        expectsName = true;
        break;
      case 0x5b: // [
        levels.push({ names: undefined, name: "", index: 0 });
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
        break;
      case 0x22: {
        // "
        const end = stringEnd(text, at);
        if (expectsName && level?.names) {
          level.name = String(JSON.parse(text.slice(at, end + 1)));
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
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}

function pointer(levels: readonly Level[]): string {
  return levels
    .map(({ names, name, index }) => `/${names ? name.replaceAll("~", "~0").replaceAll("/", "~1") : index}`)
    .join("");
}
