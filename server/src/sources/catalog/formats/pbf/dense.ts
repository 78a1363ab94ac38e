import { Deltas } from "./deltas.ts";
import type { Wire } from "./protobuf.ts";
import { allMarks, checkCount, type Texts } from "./texts.ts";

// Each thread decodes one block at a time, so all of them share these.
const ids = new Deltas("objects");
const latitudes = new Deltas("objects");
const longitudes = new Deltas("objects");

type DenseVisitor = {
  /** Every node. */
  location?(id: number, latitude: number, longitude: number): void;
  /** Every node whose keys have all marks. */
  node?(id: number, latitude: number, longitude: number, tags: () => Record<string, string>): void;
};

/**
 * Goes through packed nodes, whose ids, coordinates and tags are lists of their own: nodes without tags of interest
 * are never made objects, and coordinates are decoded only where someone wants them. Returns the ids.
 */
export function visitDense(dense: Wire, texts: Texts, visitor: DenseVisitor): Float64Array {
  let [idList, latitudeList, longitudeList, tagList]: (Wire | undefined)[] = [];
  while (dense.hasMore) {
    const tag = dense.tag();
    if (tag === 0x0a) idList = dense.message();
    else if (tag === 0x42) latitudeList = dense.message();
    else if (tag === 0x4a) longitudeList = dense.message();
    else if (tag === 0x52) tagList = dense.message();
    else dense.skip(tag);
  }
  const count = ids.read(idList);
  let isLocated = false;
  const locate = () => {
    if (isLocated) return;
    isLocated = true;
    if (latitudes.read(latitudeList) < count || longitudes.read(longitudeList) < count)
      throw new RangeError("a block has fewer coordinates than nodes");
  };
  const { location, node } = visitor;
  if (location) {
    locate();
    for (let at = 0; at < count; at += 1) location(ids.at(at), latitudes.at(at), longitudes.at(at));
  }
  if (node && tagList) {
    visitMarked(tagList, count, texts, (at, tags) => {
      locate();
      node(ids.at(at), latitudes.at(at), longitudes.at(at), tags);
    });
  }
  return ids.values(count);
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
