import { Deltas } from "./deltas.ts";
import { visitDense, type WantedNodes } from "./dense.ts";
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
  /** The nodes whose coordinates are wanted, whatever their tags; in degrees, as all coordinates. Ways may tell them too. */
  locations?: WantedNodes & { place(id: number, latitude: number, longitude: number): void };
  // Tags, references and members are there to be read until the visit ends.
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
  // The object that is visited and its lists. A block has thousands of objects, and nobody wants most of them.
  readonly #object: Wire;
  readonly #keys: Wire;
  readonly #values: Wire;
  /** The nodes of a way, the members of a relation. */
  readonly #references: Wire;
  readonly #roles: Wire;
  readonly #types: Wire;
  /** Where the nodes of a way lie, in files that say so. */
  readonly #latitudes: Wire;
  readonly #longitudes: Wire;

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
    const list = () => new Wire(bytes, bytes.length);
    [this.#object, this.#keys, this.#values] = [list(), list(), list()];
    [this.#references, this.#roles, this.#types] = [list(), list(), list()];
    [this.#latitudes, this.#longitudes] = [list(), list()];
  }

  /** Takes coordinates as the file has them. */
  #inDegrees({ locations, node, ...rest }: Visitor): Visitor {
    const latitudeOf = (units: number) => this.#latitudeOffset + units * this.#scale;
    const longitudeOf = (units: number) => this.#longitudeOffset + units * this.#scale;
    const inDegrees = (wanted: NonNullable<Visitor["locations"]>): NonNullable<Visitor["locations"]> => ({
      hasBetween: (first, last) => wanted.hasBetween(first, last),
      wants: (id) => wanted.wants(id),
      set: (id, y, x) => wanted.set(id, latitudeOf(y), longitudeOf(x)),
      place: (id, y, x) => wanted.place(id, latitudeOf(y), longitudeOf(x)),
    });
    return {
      ...rest,
      ...(locations ? { locations: inDegrees(locations) } : {}),
      ...(node ? { node: (id, y, x, tags) => node(id, latitudeOf(y), longitudeOf(x), tags) } : {}),
    };
  }

  visitGroup(group: Wire): void {
    const { summary } = this;
    const object = this.#object;
    while (group.hasMore) {
      const tag = group.tag();
      if (tag === 0x12) this.#visitDense(group.message());
      else if (tag === 0x0a || tag === 0x1a || tag === 0x22) {
        group.into(object);
        this.#keys.empty();
        this.#values.empty();
        if (tag === 0x0a) this.#visitNode(object);
        else if (tag === 0x1a) this.#visitWay(object);
        else this.#visitRelation(object);
      } else group.skip(tag);
      checkCount("objects", summary.objects);
    }
  }

  #visitDense(dense: Wire): void {
    const { count, first, last } = visitDense(dense, this.#texts, this.#visitor);
    if (count > 0) this.#countNodes(count, first, last);
  }

  #countNodes(count: number, first: number, last: number): void {
    const { summary } = this;
    summary.kinds |= kinds.node;
    summary.objects += count;
    if (first < summary.firstNode) summary.firstNode = first;
    if (last > summary.lastNode) summary.lastNode = last;
  }

  #visitNode(wire: Wire): void {
    const { locations, node } = this.#visitor;
    let [id, latitude, longitude] = [0, 0, 0];
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.zigzag();
      else if (tag === 0x12) wire.into(this.#keys);
      else if (tag === 0x1a) wire.into(this.#values);
      else if (tag === 0x40) latitude = wire.zigzag();
      else if (tag === 0x48) longitude = wire.zigzag();
      else wire.skip(tag);
    }
    this.#countNodes(1, id, id);
    if (locations?.wants(id)) locations.set(id, latitude, longitude);
    if (node && this.#keys.hasMore && this.#isMarked()) node(id, latitude, longitude, this.#readTags);
  }

  #visitWay(wire: Wire): void {
    const { summary } = this;
    summary.kinds |= kinds.way;
    summary.objects += 1;
    const { way, locations } = this.#visitor;
    if (!way && !locations) return;
    let id = 0;
    for (const list of [this.#references, this.#latitudes, this.#longitudes]) list.empty();
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.signed();
      else if (tag === 0x12) wire.into(this.#keys);
      else if (tag === 0x1a) wire.into(this.#values);
      else if (tag === 0x42) wire.into(this.#references);
      else if (tag === 0x4a) wire.into(this.#latitudes);
      else if (tag === 0x52) wire.into(this.#longitudes);
      else wire.skip(tag);
    }
    if (id < summary.firstWay) summary.firstWay = id;
    if (id > summary.lastWay) summary.lastWay = id;
    if (locations && this.#latitudes.hasMore) this.#placeNodes(locations);
    if (way && this.#isMarked()) way(id, this.#readTags, this.#readNodes);
  }

  #placeNodes(locations: NonNullable<Visitor["locations"]>): void {
    const references = this.#references.position;
    const nodes = this.#readNodes();
    this.#references.position = references; // the visit of the way reads them again
    const count = Math.min(wayLatitudes.read(this.#latitudes), wayLongitudes.read(this.#longitudes));
    for (const [at, id] of nodes.subarray(0, count).entries())
      locations.place(id, wayLatitudes.at(at), wayLongitudes.at(at));
  }

  #visitRelation(wire: Wire): void {
    this.summary.kinds |= kinds.relation;
    this.summary.objects += 1;
    const { relation } = this.#visitor;
    if (!relation) return;
    let id = 0;
    for (const list of [this.#references, this.#roles, this.#types]) list.empty();
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x08) id = wire.signed();
      else if (tag === 0x12) wire.into(this.#keys);
      else if (tag === 0x1a) wire.into(this.#values);
      else if (tag === 0x42) wire.into(this.#roles);
      else if (tag === 0x4a) wire.into(this.#references);
      else if (tag === 0x52) wire.into(this.#types);
      else wire.skip(tag);
    }
    if (this.#isMarked()) relation(id, this.#readTags, this.#readMembers);
  }

  readonly #readNodes = () => wayRefs.values(wayRefs.read(this.#references));

  readonly #readMembers = (): Member[] => {
    const [roles, types] = [this.#roles, this.#types];
    const memberIds = relationMembers.values(relationMembers.read(this.#references));
    return Array.from(memberIds, (id) => ({
      id,
      role: roles.hasMore ? this.#texts.at(roles.varint()) : "",
      type: memberTypes[types.hasMore ? types.varint() : 0] ?? "node",
    }));
  };

  #isMarked(): boolean {
    if (!this.#visitor.marksOf) return true;
    const keys = this.#keys;
    const start = keys.position;
    let marks = 0;
    while (keys.hasMore) marks |= this.#texts.marksAt(keys.varint());
    keys.position = start;
    return marks === allMarks;
  }

  readonly #readTags = (): Tags => {
    const tags: Tags = {};
    const [keys, values] = [this.#keys, this.#values];
    for (let count = 1; keys.hasMore && values.hasMore; count += 1) {
      checkCount("tags", count);
      tags[this.#texts.at(keys.varint())] = this.#texts.at(values.varint());
    }
    return tags;
  };
}

const memberTypes = ["node", "way", "relation"] as const;
// Each thread decodes one block at a time, so all of them share these.
const wayRefs = new Deltas("refs");
const wayLatitudes = new Deltas("refs");
const wayLongitudes = new Deltas("refs");
const relationMembers = new Deltas("members");
