import { dataIdPattern } from "./fields.ts";
import { at, listAt } from "./values.ts";

/** A business record as it came. */
export type WebmapRecord = readonly unknown[];

/** The businesses of a search answer, each once and without advertisements, whichever form it has. */
export type SearchAnswer = {
  records: readonly WebmapRecord[];
  /** How many businesses are there besides, in a layout that is not known here. */
  unreadableCount: number;
  /** How many rows they stand in, repeated ones and the unreadable included. */
  rowCount: number;
  /** Where the list of results is expected is none, or one with nothing but its metadata in it. */
  isEmptyList: boolean;
};

const nameAt = 11;

/** Anchored on content: a name where names are, beside an id of the one shape that ids have. */
export function isRecord(value: unknown): value is WebmapRecord {
  if (!Array.isArray(value) || typeof value[nameAt] !== "string" || value[nameAt] === "") return false;
  return isDataId(value[10]) || isDataId(at(value, [227, 0, 0]));
}

function isDataId(value: unknown): boolean {
  return typeof value === "string" && dataIdPattern.test(value);
}

export function readSearch(root: unknown): SearchAnswer {
  const isEmptyList = hasEmptyList(root);
  const listed = readRows(listAt(root, [0, 1]), 14);
  if (listed.records.length > 0) return { ...listed, isEmptyList };
  const other = readRows(organicEntries(listAt(root, [64])), 1);
  if (other.records.length > 0) return { ...other, isEmptyList };
  const scanned = scanForRecords(root);
  if (scanned.records.length > 0) return { ...scanned, isEmptyList };
  const unreadableCount = Math.max(listed.unreadableCount + other.unreadableCount, scanned.unreadableCount);
  return { records: [], unreadableCount, rowCount: unreadableCount, isEmptyList };
}

/** The business of a place-detail answer. */
export function detailRecord(root: unknown): WebmapRecord | undefined {
  const record = at(root, [6]);
  return isRecord(record) ? record : scanForRecords(root).records[0];
}

type Read = Pick<SearchAnswer, "records" | "unreadableCount" | "rowCount">;

/** Slot 0 of the list is metadata beside several results, and the place itself when there is one. */
function hasEmptyList(root: unknown): boolean {
  const list = at(root, [0, 1]) ?? at(root, [64]) ?? [];
  if (!Array.isArray(list) || list.length > 1 || listAt(root, [64]).length > 0) return false;
  return !mayHoldBusiness(list[0]);
}

function readRows(rows: readonly unknown[], recordAt: number): Read {
  const records: WebmapRecord[] = [];
  let unreadableCount = 0;
  for (const row of rows) {
    const record = at(row, [recordAt]);
    if (isRecord(record)) records.push(record);
    else if (mayHoldBusiness(row)) unreadableCount += 1;
  }
  return { records: distinct(records), unreadableCount, rowCount: records.length + unreadableCount };
}

/** Metadata has only short lists, no id of a place and no object: a row with one of those may be a business. */
function mayHoldBusiness(row: unknown): boolean {
  if (row === null || row === undefined) return false;
  if (!Array.isArray(row)) return true;
  const queue: unknown[] = [...row];
  for (let visited = 0; visited < queue.length; visited += 1) {
    const value = queue[visited];
    if (isDataId(value)) return true;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) || value.length > nameAt || visited >= visitsMax) return true;
    queue.push(...value);
  }
  return false;
}

/** Results have one length; an entry of another length is an advertisement. */
function organicEntries(entries: readonly unknown[]): readonly unknown[] {
  const holders = entries.filter((entry): entry is unknown[] => Array.isArray(entry) && isRecord(entry[1]));
  const byLength = Object.groupBy(holders, ({ length }) => length);
  const groups = Object.values(byLength).filter((group) => group !== undefined);
  const [organic] = groups.toSorted((a, b) => b.length - a.length || (a[0]?.length ?? 0) - (b[0]?.length ?? 0));
  const length = organic?.[0]?.length;
  return length === undefined ? entries : entries.filter((entry) => !Array.isArray(entry) || entry.length === length);
}

const visitsMax = 200_000;
const recordsMax = 100;

/** Looks for records anywhere, breadth first, on a list instead of the stack and up to a number of values. */
function scanForRecords(root: unknown): Read {
  const found: WebmapRecord[] = [];
  let unreadableCount = 0;
  const queue: unknown[] = [root];
  for (let visited = 0; visited < queue.length && visited < visitsMax && found.length < recordsMax; visited += 1) {
    const value = queue[visited];
    // What lies inside a record, such as places that people also look for, is no result.
    if (isRecord(value)) found.push(value);
    else if (isShiftedRecord(value)) unreadableCount += 1;
    else if (Array.isArray(value)) {
      for (const item of value) if (Array.isArray(item) && queue.length < visitsMax) queue.push(item);
    }
  }
  return { records: distinct(found), unreadableCount, rowCount: found.length + unreadableCount };
}

/** A name behind an id, as records have it, in another place than records have it. */
function isShiftedRecord(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.some((item, index) => isDataId(item) && typeof value[index + 1] === "string" && value[index + 1] !== "");
}

function distinct(records: readonly WebmapRecord[]): WebmapRecord[] {
  const byId = new Map<unknown, WebmapRecord>();
  for (const record of records) {
    const id = isDataId(record[10]) ? record[10] : at(record, [227, 0, 0]);
    if (!byId.has(id)) byId.set(id, record);
  }
  return [...byId.values()];
}
