import { storableText } from "../../../../platform/text.ts";
import { Wire } from "./protobuf.ts";

export const kinds = { node: 1, way: 2, relation: 4 } as const;

/** What is done with the objects of a block. Ways and relations come with a reader for their tags. */
export type Visitor = {
  /** Every node: coordinates in degrees. `tags` is null for a node without any, and that is most of them. */
  node?(id: number, latitude: number, longitude: number, tags: TagReader | null): void;
  way?(id: number, tags: TagReader, refs: () => number[]): void;
  relation?(id: number, tags: TagReader, members: () => Member[]): void;
};

export type Member = { type: "node" | "way" | "relation"; id: number; role: string };

/** Looks at tags without making an object of them, since most objects are of no interest. */
export type TagReader = { hasAny(keys: ReadonlySet<string>): boolean; all(): Record<string, string> };

export type BlockSummary = { kinds: number; objects: number; firstNode: number; lastNode: number };

// A block of 32 MB may hold 16 million of anything that takes two bytes. Real blocks hold 8,000 objects,
// real ways 2,000 nodes and real relations 32,000 members; each bound is far above that, and is met
// before anything is allocated for what is over it.
const bounds = { groups: 10_000, texts: 1_000_000, objects: 1_000_000, refs: 100_000, members: 200_000, tags: 10_000 };

/** A RangeError is what every reader of a block takes for damage. */
function checkCount(what: keyof typeof bounds, count: number): void {
  if (count > bounds[what]) throw new RangeError(`a block has more than ${bounds[what]} ${what}`);
}

/** Walks through the objects of an unpacked block. */
export function visitBlock(bytes: Uint8Array, visitor: Visitor): BlockSummary {
  const block = new Block(bytes);
  const summary = { kinds: 0, objects: 0, firstNode: Infinity, lastNode: -Infinity };
  for (const group of block.groups) block.visitGroup(group, visitor, summary);
  return summary;
}

class Block {
  readonly groups: Wire[] = [];
  readonly #bytes: Uint8Array;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #texts: (string | undefined)[] = [];
  // In degrees; written in the file in units of 1e-9 times the granularity.
  #scale = 100e-9;
  #latitudeOffset = 0;
  #longitudeOffset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const wire = new Wire(bytes);
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x0a) this.#indexTexts(wire.message());
      else if (tag === 0x12) checkCount("groups", this.groups.push(wire.message()));
      else if (tag === 0x88) this.#scale = wire.varint() * 1e-9;
      else if (tag === 0x98) this.#latitudeOffset = wire.signed() * 1e-9;
      else if (tag === 0xa0) this.#longitudeOffset = wire.signed() * 1e-9;
      else wire.skip(tag);
    }
  }

  visitGroup(group: Wire, visitor: Visitor, summary: BlockSummary): void {
    while (group.hasMore) {
      const tag = group.tag();
      if (tag === 0x12) this.#visitDense(group.message(), visitor, summary);
      else if (tag === 0x0a) this.#visitNode(group.message(), visitor, summary);
      else if (tag === 0x1a) this.#visitWay(group.message(), visitor, summary);
      else if (tag === 0x22) this.#visitRelation(group.message(), visitor, summary);
      else group.skip(tag);
      checkCount("objects", summary.objects);
    }
  }

  #indexTexts(wire: Wire): void {
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag !== 0x0a) {
        wire.skip(tag);
        continue;
      }
      checkCount("texts", this.#starts.push(wire.start()));
      this.#ends.push(wire.position);
    }
  }

  text(index: number): string {
    const known = this.#texts[index];
    if (known !== undefined) return known;
    if (index >= this.#starts.length) throw new RangeError("a text is referred to that is not there");
    const text = storableText(decoder.decode(this.#bytes.subarray(this.#starts[index], this.#ends[index])));
    this.#texts[index] = text;
    return text;
  }

  #visitDense(dense: Wire, visitor: Visitor, summary: BlockSummary): void {
    const none = new Wire(this.#bytes, 0, 0);
    let [ids, latitudes, longitudes, pairs] = [none, none, none, none];
    while (dense.hasMore) {
      const tag = dense.tag();
      if (tag === 0x0a) ids = dense.message();
      else if (tag === 0x42) latitudes = dense.message();
      else if (tag === 0x4a) longitudes = dense.message();
      else if (tag === 0x52) pairs = dense.message();
      else dense.skip(tag);
    }
    summary.kinds |= kinds.node;
    let [id, latitude, longitude] = [0, 0, 0];
    const { node } = visitor;
    const tags = new PairedTags(this, []);
    while (ids.hasMore) {
      id += ids.zigzag();
      latitude += latitudes.zigzag();
      longitude += longitudes.zigzag();
      summary.objects += 1;
      checkCount("objects", summary.objects);
      if (id < summary.firstNode) summary.firstNode = id;
      if (id > summary.lastNode) summary.lastNode = id;
      const hasTags = pairs.hasMore && readPairs(pairs, tags.indexes);
      if (node) {
        node(
          id,
          this.#latitudeOffset + latitude * this.#scale,
          this.#longitudeOffset + longitude * this.#scale,
          hasTags ? tags : null,
        );
      }
    }
  }

  #visitNode(wire: Wire, visitor: Visitor, summary: BlockSummary): void {
    const tags = new ListedTags(this);
    let [id, latitude, longitude] = [0, 0, 0];
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.zigzag();
      else if (tag === 0x12) tags.keys = wire.message();
      else if (tag === 0x1a) tags.values = wire.message();
      else if (tag === 0x40) latitude = wire.zigzag();
      else if (tag === 0x48) longitude = wire.zigzag();
      else wire.skip(tag);
    }
    summary.kinds |= kinds.node;
    summary.objects += 1;
    summary.firstNode = Math.min(summary.firstNode, id);
    summary.lastNode = Math.max(summary.lastNode, id);
    visitor.node?.(
      id,
      this.#latitudeOffset + latitude * this.#scale,
      this.#longitudeOffset + longitude * this.#scale,
      tags.keys ? tags : null,
    );
  }

  #visitWay(wire: Wire, visitor: Visitor, summary: BlockSummary): void {
    summary.kinds |= kinds.way;
    summary.objects += 1;
    if (!visitor.way) return;
    const tags = new ListedTags(this);
    let id = 0;
    let refs: Wire | undefined;
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.varint();
      else if (tag === 0x12) tags.keys = wire.message();
      else if (tag === 0x1a) tags.values = wire.message();
      else if (tag === 0x42) refs = wire.message();
      else wire.skip(tag);
    }
    visitor.way(id, tags, () => deltas(refs, "refs"));
  }

  #visitRelation(wire: Wire, visitor: Visitor, summary: BlockSummary): void {
    summary.kinds |= kinds.relation;
    summary.objects += 1;
    if (!visitor.relation) return;
    const tags = new ListedTags(this);
    let id = 0;
    let [roles, ids, types]: (Wire | undefined)[] = [];
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.varint();
      else if (tag === 0x12) tags.keys = wire.message();
      else if (tag === 0x1a) tags.values = wire.message();
      else if (tag === 0x42) roles = wire.message();
      else if (tag === 0x4a) ids = wire.message();
      else if (tag === 0x52) types = wire.message();
      else wire.skip(tag);
    }
    visitor.relation(id, tags, () =>
      deltas(ids, "members").map((memberId) => ({
        id: memberId,
        role: roles?.hasMore ? this.text(roles.varint()) : "",
        type: memberTypes[types?.hasMore ? types.varint() : 0] ?? "node",
      })),
    );
  }
}

const decoder = new TextDecoder();
const memberTypes = ["node", "way", "relation"] as const;

/** Reads the tags of one dense node: key, value, key, value, …, zero. */
function readPairs(pairs: Wire, indexes: number[]): boolean {
  indexes.length = 0;
  for (let index = pairs.varint(); index !== 0; index = pairs.varint()) {
    checkCount("tags", indexes.push(index, pairs.varint()));
  }
  return indexes.length > 0;
}

function deltas(wire: Wire | undefined, what: "refs" | "members"): number[] {
  const values: number[] = [];
  if (!wire) return values;
  let value = 0;
  while (wire.position < wire.end) {
    value += wire.zigzag();
    checkCount(what, values.push(value));
  }
  return values;
}

class PairedTags implements TagReader {
  readonly #block: Block;
  readonly indexes: number[];

  constructor(block: Block, indexes: number[]) {
    this.#block = block;
    this.indexes = indexes;
  }

  hasAny(keys: ReadonlySet<string>): boolean {
    for (let at = 0; at < this.indexes.length; at += 2) {
      if (keys.has(this.#block.text(this.indexes[at] ?? 0))) return true;
    }
    return false;
  }

  all(): Record<string, string> {
    const tags: Record<string, string> = {};
    for (let at = 0; at < this.indexes.length; at += 2) {
      tags[this.#block.text(this.indexes[at] ?? 0)] = this.#block.text(this.indexes[at + 1] ?? 0);
    }
    return tags;
  }
}

class ListedTags implements TagReader {
  readonly #block: Block;
  keys: Wire | undefined;
  values: Wire | undefined;

  constructor(block: Block) {
    this.#block = block;
  }

  hasAny(wanted: ReadonlySet<string>): boolean {
    if (!this.keys) return false;
    const keys = new Wire(this.keys.bytes, this.keys.position, this.keys.end);
    while (keys.hasMore) if (wanted.has(this.#block.text(keys.varint()))) return true;
    return false;
  }

  all(): Record<string, string> {
    const tags: Record<string, string> = {};
    const { keys, values } = this;
    if (!keys || !values) return tags;
    const [keyAt, valueAt] = [
      new Wire(keys.bytes, keys.position, keys.end),
      new Wire(values.bytes, values.position, values.end),
    ];
    for (let count = 1; keyAt.hasMore && valueAt.hasMore; count += 1) {
      checkCount("tags", count);
      tags[this.#block.text(keyAt.varint())] = this.#block.text(valueAt.varint());
    }
    return tags;
  }
}
