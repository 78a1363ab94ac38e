import { Deltas } from "./deltas.ts";
import type { Wire } from "./protobuf.ts";
import { allMarks, checkCount, type Texts } from "./texts.ts";

// Each thread decodes one block at a time, so all of them share these.
const ids = new Deltas("objects");
const latitudes = new Deltas("objects");
const longitudes = new Deltas("objects");

/** Coordinates are in the units of the file. */
type DenseVisitor = {
  /** Every node that is wanted. */
  locations?: WantedNodes;
  /** Every node whose keys have all marks. */
  node?(id: number, latitude: number, longitude: number, tags: () => Record<string, string>): void;
};

export type WantedNodes = {
  /** Whether any node between these two is wanted. */
  hasBetween(first: number, last: number): boolean;
  wants(id: number): boolean;
  set(id: number, latitude: number, longitude: number): void;
};

/** How many nodes there are, and the least and the greatest of their ids. */
export type DenseSummary = { count: number; first: number; last: number };

/**
 * Goes through packed nodes, whose ids, coordinates and tags are lists of their own: nodes without tags of interest
 * are never made objects, and coordinates are decoded only where someone wants them.
 */
export function visitDense(dense: Wire, texts: Texts, { locations, node }: DenseVisitor): DenseSummary {
  let [idList, latitudeList, longitudeList, tagList]: (Wire | undefined)[] = [];
  while (dense.hasMore) {
    const tag = dense.tag();
    if (tag === 0x0a) idList = dense.message();
    else if (tag === 0x42) latitudeList = dense.message();
    else if (tag === 0x4a) longitudeList = dense.message();
    else if (tag === 0x52) tagList = dense.message();
    else dense.skip(tag);
  }
  const summary = summarize(ids.values(ids.read(idList)));
  const { count, first, last } = summary;
  let isLocated = false;
  const locate = () => {
    if (isLocated) return;
    isLocated = true;
    if (latitudes.read(latitudeList) < count || longitudes.read(longitudeList) < count)
      throw new RangeError("a block has fewer coordinates than nodes");
  };
  if (locations?.hasBetween(first, last)) {
    locate();
    for (let at = 0; at < count; at += 1) {
      const id = ids.at(at);
      if (locations.wants(id)) locations.set(id, latitudes.at(at), longitudes.at(at));
    }
  }
  if (node && tagList) {
    visitMarked(tagList, count, texts, (at, tags) => {
      locate();
      node(ids.at(at), latitudes.at(at), longitudes.at(at), tags);
    });
  }
  return summary;
}

function summarize(values: Float64Array): DenseSummary {
  let [first, last] = [Infinity, -Infinity];
  for (const id of values) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return { count: values.length, first, last };
}

/** Visits the nodes whose keys have all marks. The list says key, value, key, value, …, zero for each node. */
function visitMarked(
  list: Wire,
  count: number,
  texts: Texts,
  visit: (index: number, tags: () => Record<string, string>) => void,
): void {
  const { bytes } = list;
  for (let index = 0; index < count && list.hasMore; index += 1) {
    const start = list.position;
    if (bytes[start] === 0) {
      list.position = start + 1;
      continue;
    }
    let marks = 0;
    let tags = 0;
    for (let key = list.varint(); key !== 0; key = list.varint()) {
      marks |= texts.marksAt(key);
      list.varint();
      checkCount("tags", (tags += 2));
    }
    if (marks === allMarks) visit(index, () => readPairs(list.from(start), texts));
  }
}

function readPairs(list: Wire, texts: Texts): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let key = list.varint(); key !== 0; key = list.varint()) tags[texts.at(key)] = texts.at(list.varint());
  return tags;
}
