import { dataIdPattern } from "./fields.ts";
import { at, listAt } from "./values.ts";

/** A business record as it came. */
export type WebmapRecord = readonly unknown[];

/** Anchored on content: a name where names are, beside an id of the one shape that ids have. */
export function isRecord(value: unknown): value is WebmapRecord {
  if (!Array.isArray(value) || typeof value[11] !== "string" || value[11] === "") return false;
  return isDataId(value[10]) || isDataId(at(value, [227, 0, 0]));
}

function isDataId(value: unknown): boolean {
  return typeof value === "string" && dataIdPattern.test(value);
}

/** The businesses of a search answer, each once and without advertisements, whichever form it has. */
export function searchRecords(root: unknown): WebmapRecord[] {
  // Slot 0 is metadata beside several results, and the place itself when there is one.
  const listed = listAt(root, [0, 1]).map((entry) => at(entry, [14]));
  const known = distinct(listed.filter(isRecord));
  if (known.length > 0) return known;
  const other = distinct(organicEntries(listAt(root, [64])).filter(isRecord));
  return other.length > 0 ? other : distinct(scanForRecords(root));
}

/** The business of a place-detail answer. */
export function detailRecord(root: unknown): WebmapRecord | undefined {
  const record = at(root, [6]);
  return isRecord(record) ? record : scanForRecords(root)[0];
}

/** Results have one length; an entry of another length is an advertisement. */
function organicEntries(entries: readonly unknown[]): unknown[] {
  const holders = entries.filter((entry): entry is unknown[] => Array.isArray(entry) && isRecord(entry[1]));
  const byLength = Object.groupBy(holders, ({ length }) => length);
  const groups = Object.values(byLength).filter((group) => group !== undefined);
  const [organic = []] = groups.toSorted((a, b) => b.length - a.length || (a[0]?.length ?? 0) - (b[0]?.length ?? 0));
  return organic.map((entry) => entry[1]);
}

const visitsMax = 200_000;
const recordsMax = 100;

/** Looks for records anywhere, breadth first, on a list instead of the stack and up to a number of values. */
function scanForRecords(root: unknown): WebmapRecord[] {
  const found: WebmapRecord[] = [];
  const queue: unknown[] = [root];
  for (let visited = 0; visited < queue.length && visited < visitsMax && found.length < recordsMax; visited += 1) {
    const value = queue[visited];
    // What lies inside a record, such as places that people also look for, is no result.
    if (isRecord(value)) found.push(value);
    else if (Array.isArray(value)) {
      for (const item of value) if (Array.isArray(item) && queue.length < visitsMax) queue.push(item);
    }
  }
  return found;
}

function distinct(records: readonly WebmapRecord[]): WebmapRecord[] {
  const byId = new Map<unknown, WebmapRecord>();
  for (const record of records) {
    const id = isDataId(record[10]) ? record[10] : at(record, [227, 0, 0]);
    if (!byId.has(id)) byId.set(id, record);
  }
  return [...byId.values()];
}
