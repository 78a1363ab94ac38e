import { Deltas } from "./deltas.ts";
import { visitDense } from "./dense.ts";
import { Wire } from "./protobuf.ts";
import { allMarks, checkCount, Texts } from "./texts.ts";

export const kinds = { node: 1, way: 2, relation: 4 } as const;

/** What is done with the objects of a block. Those that nobody is interested in are never made objects. */
export type Visitor = {
  /**
   * The marks of a key, as bits: 1, 2 or both. Of all objects only those are visited whose keys together have both
   * marks; where this is missing, every object that has a tag, and every way and relation.
   */
  marksOf?(key: string): number;
  /** Every node, whatever its tags; coordinates in degrees. */
  location?(id: number, latitude: number, longitude: number): void;
  node?(id: number, latitude: number, longitude: number, tags: () => Tags): void;
  way?(id: number, tags: () => Tags, refs: () => Float64Array): void;
  relation?(id: number, tags: () => Tags, members: () => Member[]): void;
};

export type Tags = Record<string, string>;
export type Member = { type: "node" | "way" | "relation"; id: number; role: string };

export type BlockSummary = {
  kinds: number;
  objects: number;
  firstNode: number;
  lastNode: number;
  firstWay: number;
  lastWay: number;
};

export function newSummary(): BlockSummary {
  return { kinds: 0, objects: 0, firstNode: Infinity, lastNode: -Infinity, firstWay: Infinity, lastWay: -Infinity };
}

/** Walks through the objects of an unpacked block. */
export function visitBlock(bytes: Uint8Array, visitor: Visitor): BlockSummary {
  const block = new Block(bytes, visitor);
  for (const group of block.groups) block.visitGroup(group);
  return block.summary;
}

class Block {
  readonly groups: Wire[] = [];
  readonly summary = newSummary();
  readonly #visitor: Visitor;
  readonly #texts: Texts;
  // In degrees; written in the file in units of 1e-9 times the granularity.
  #scale = 100e-9;
  #latitudeOffset = 0;
  #longitudeOffset = 0;

  constructor(bytes: Uint8Array, visitor: Visitor) {
    this.#visitor = this.#inDegrees(visitor);
    this.#texts = new Texts(bytes, visitor.marksOf);
    const wire = new Wire(bytes);
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x0a) this.#texts.add(wire.message());
      else if (tag === 0x12) checkCount("groups", this.groups.push(wire.message()));
      else if (tag === 0x88) this.#scale = wire.varint() * 1e-9;
      else if (tag === 0x98) this.#latitudeOffset = wire.signed() * 1e-9;
      else if (tag === 0xa0) this.#longitudeOffset = wire.signed() * 1e-9;
      else wire.skip(tag);
    }
  }

  /** Takes coordinates as the file has them. */
  #inDegrees({ location, node, ...rest }: Visitor): Visitor {
    const latitudeOf = (units: number) => this.#latitudeOffset + units * this.#scale;
    const longitudeOf = (units: number) => this.#longitudeOffset + units * this.#scale;
    return {
      ...rest,
      ...(location ? { location: (id, y, x) => location(id, latitudeOf(y), longitudeOf(x)) } : {}),
      ...(node ? { node: (id, y, x, tags) => node(id, latitudeOf(y), longitudeOf(x), tags) } : {}),
    };
  }

  visitGroup(group: Wire): void {
    const { summary } = this;
    while (group.hasMore) {
      const tag = group.tag();
      if (tag === 0x12) this.#visitDense(group.message());
      else if (tag === 0x0a) this.#visitNode(group.message());
      else if (tag === 0x1a) this.#visitWay(group.message());
      else if (tag === 0x22) this.#visitRelation(group.message());
      else group.skip(tag);
      checkCount("objects", summary.objects);
    }
  }

  #visitDense(dense: Wire): void {
    const ids = visitDense(dense, this.#texts, this.#visitor);
    for (const id of ids) this.#countNode(id);
  }

  #countNode(id: number): void {
    const { summary } = this;
    summary.kinds |= kinds.node;
    summary.objects += 1;
    if (id < summary.firstNode) summary.firstNode = id;
    if (id > summary.lastNode) summary.lastNode = id;
  }

  #visitNode(wire: Wire): void {
    const { location, node } = this.#visitor;
    let [id, latitude, longitude] = [0, 0, 0];
    let [keys, values]: (Wire | undefined)[] = [];
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.zigzag();
      else if (tag === 0x12) keys = wire.message();
      else if (tag === 0x1a) values = wire.message();
      else if (tag === 0x40) latitude = wire.zigzag();
      else if (tag === 0x48) longitude = wire.zigzag();
      else wire.skip(tag);
    }
    this.#countNode(id);
    location?.(id, latitude, longitude);
    if (node && keys && this.#isMarked(keys)) node(id, latitude, longitude, () => this.#tags(keys, values));
  }

  #visitWay(wire: Wire): void {
    const { summary } = this;
    summary.kinds |= kinds.way;
    summary.objects += 1;
    const { way } = this.#visitor;
    if (!way) return;
    let id = 0;
    let [keys, values, refs]: (Wire | undefined)[] = [];
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.varint();
      else if (tag === 0x12) keys = wire.message();
      else if (tag === 0x1a) values = wire.message();
      else if (tag === 0x42) refs = wire.message();
      else wire.skip(tag);
    }
    if (id < summary.firstWay) summary.firstWay = id;
    if (id > summary.lastWay) summary.lastWay = id;
    if (!this.#isMarked(keys)) return;
    way(
      id,
      () => this.#tags(keys, values),
      () => wayRefs.values(wayRefs.read(refs)),
    );
  }

  #visitRelation(wire: Wire): void {
    this.summary.kinds |= kinds.relation;
    this.summary.objects += 1;
    const { relation } = this.#visitor;
    if (!relation) return;
    let id = 0;
    let [keys, values, roles, ids, types]: (Wire | undefined)[] = [];
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.varint();
      else if (tag === 0x12) keys = wire.message();
      else if (tag === 0x1a) values = wire.message();
      else if (tag === 0x42) roles = wire.message();
      else if (tag === 0x4a) ids = wire.message();
      else if (tag === 0x52) types = wire.message();
      else wire.skip(tag);
    }
    if (!this.#isMarked(keys)) return;
    relation(
      id,
      () => this.#tags(keys, values),
      () => this.#members(ids, roles, types),
    );
  }

  #members(ids: Wire | undefined, roles: Wire | undefined, types: Wire | undefined): Member[] {
    const memberIds = relationMembers.values(relationMembers.read(ids));
    return Array.from(memberIds, (id) => ({
      id,
      role: roles?.hasMore ? this.#texts.at(roles.varint()) : "",
      type: memberTypes[types?.hasMore ? types.varint() : 0] ?? "node",
    }));
  }

  #isMarked(keys: Wire | undefined): boolean {
    if (!this.#visitor.marksOf) return true;
    if (!keys) return false;
    let marks = 0;
    for (const list = keys.from(keys.position); list.hasMore;) marks |= this.#texts.marksAt(list.varint());
    return marks === allMarks;
  }

  #tags(keys: Wire | undefined, values: Wire | undefined): Tags {
    const tags: Tags = {};
    if (!keys || !values) return tags;
    const [keyList, valueList] = [keys.from(keys.position), values.from(values.position)];
    for (let count = 1; keyList.hasMore && valueList.hasMore; count += 1) {
      checkCount("tags", count);
      tags[this.#texts.at(keyList.varint())] = this.#texts.at(valueList.varint());
    }
    return tags;
  }
}

const memberTypes = ["node", "way", "relation"] as const;
// Each thread decodes one block at a time, so all of them share these.
const wayRefs = new Deltas("refs");
const relationMembers = new Deltas("members");
