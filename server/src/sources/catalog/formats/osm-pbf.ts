import { type FileHandle, open } from "node:fs/promises";
import { areaOf, kindOf, type OsmElement, type Outline, recordOf } from "../../open-data/tags/index.ts";
import { businessKeys, furtherTags, isBusiness, readLanguages } from "../../vocabulary/index.ts";
import type { AreaRecord, RecordItem } from "../../open-data/record.ts";
import { type Blob, damaged, listBlobs, readBlob } from "./pbf/blobs.ts";
import { type BlockSummary, kinds, type Member, type Visitor, visitBlock } from "./pbf/block.ts";
import { boxOf, centerOf, type Point, ringsOf } from "./pbf/geometry.ts";
import { Locations } from "./pbf/locations.ts";
import { Wire } from "./pbf/protobuf.ts";
import { ImportProblem, newProgress, type ReadOptions, type ReadProgress } from "./reader.ts";

type Tags = Record<string, string>;
type IndexedBlob = Blob & BlockSummary;
type WantedRelation = { id: number; tags: Tags; members: Member[] };

/** Nearly all objects are called nothing, and passed over by this. */
const naming: ReadonlySet<string> = new Set([
  "name",
  "brand",
  "operator",
  ...readLanguages.map((tag) => `name:${tag}`),
]);

/** Keys that make an object worth a closer look. */
const interesting: ReadonlySet<string> = new Set([...businessKeys, ...furtherTags.keys(), "place", "boundary"]);

/**
 * Reads places and areas out of an extract. A way or relation lies where the nodes it is made of lie,
 * which stand before it in the file; so the file is gone through again for those nodes only, and
 * only their blocks are unpacked. What is kept in memory is the points of the ways wanted.
 */
export async function* readOsmPbf(path: string, options: ReadOptions): AsyncGenerator<RecordItem, void, undefined> {
  const { signal, progress = newProgress() } = options;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    progress.bytesTotal = Math.round(size * 2.5); // put right once it is known what has to be read again
    const pass = new Pass(file, signal, progress);
    const collected = new Collected(size);

    const blobs: IndexedBlob[] = [];
    for await (const blob of listBlobs(file, size)) {
      if (blob.type === "OSMHeader") checkHeader(await readBlob(file, blob), blob);
      if (blob.type === "OSMData") blobs.push({ ...blob, kinds: 0, objects: 0, firstNode: 0, lastNode: 0 });
    }
    yield* pass.over(blobs, (items) => collected.firstVisitor(items), true);

    const wayBlobs = blobs.filter((blob) => (blob.kinds & kinds.way) !== 0);
    const lastBlobs = blobs.filter((blob) => (blob.kinds & (kinds.way | kinds.relation)) !== 0);
    if (collected.memberWays.size > 0) yield* pass.over(wayBlobs, () => collected.memberVisitor());
    collected.locations.seal();
    const { locations } = collected;
    const nodeBlobs = blobs.filter(
      (blob) => (blob.kinds & kinds.node) !== 0 && locations.hasBetween(blob.firstNode, blob.lastNode),
    );
    progress.bytesTotal = progress.bytesRead + bytesOf(nodeBlobs) + (locations.count > 0 ? bytesOf(lastBlobs) : 0);
    if (locations.count === 0) return;
    yield* pass.over(nodeBlobs, () => ({
      node: (id, latitude, longitude) => locations.set(id, latitude, longitude),
    }));
    yield* pass.over(lastBlobs, (items) => collected.lastVisitor(items));
  } finally {
    await file.close();
  }
}

/** Unpacks the next blocks on other threads while this one walks through the last. */
const blobsAhead = 4;

class Pass {
  readonly #file: FileHandle;
  readonly #signal: AbortSignal;
  readonly #progress: ReadProgress;

  constructor(file: FileHandle, signal: AbortSignal, progress: ReadProgress) {
    this.#file = file;
    this.#signal = signal;
    this.#progress = progress;
  }

  async *over(
    blobs: readonly IndexedBlob[],
    visitorFor: (items: RecordItem[]) => Visitor,
    isFirst = false,
  ): AsyncGenerator<RecordItem, void, undefined> {
    const reading: Promise<Uint8Array>[] = [];
    const items: RecordItem[] = [];
    const visitor = visitorFor(items);
    let next = 0;
    try {
      for (const blob of blobs) {
        this.#signal.throwIfAborted();
        while (next < blobs.length && reading.length < blobsAhead) {
          const ahead = blobs[next++];
          if (!ahead) break;
          const bytes = readBlob(this.#file, ahead);
          bytes.catch(() => {}); // it is awaited in its turn; until then its failure is nobody's surprise
          reading.push(bytes);
        }
        const bytes = await reading.shift();
        if (!bytes) break;
        const summary = visitOrComplain(bytes, visitor, blob);
        this.#progress.bytesRead += blob.size;
        if (isFirst) {
          Object.assign(blob, summary);
          this.#progress.objectsRead += summary.objects;
        }
        yield* items.splice(0);
      }
    } finally {
      await Promise.allSettled(reading);
    }
  }
}

function visitOrComplain(bytes: Uint8Array, visitor: Visitor, blob: Blob): BlockSummary {
  try {
    return visitBlock(bytes, visitor);
  } catch (cause) {
    throw cause instanceof RangeError ? damaged(blob, cause) : cause;
  }
}

/** A member of a relation takes as much memory as ten nodes of a way. */
const memberWeight = 10;
const smallFileReferences = 4_000_000;
const pointsOfRelationMax = 4_000_000;

/**
 * Counts what is kept between passes: eight bytes each. A real reference takes a byte of the file or
 * more, so a file that makes us keep more than that is damaged, or packed to exhaust us.
 */
function createBudget(fileBytes: number): (count: number) => void {
  let left = smallFileReferences + fileBytes * 2;
  return (count) => {
    left -= count;
    if (left < 0)
      throw new ImportProblem("The file refers to more nodes and members than its size allows; it is damaged.");
  };
}

/** What is learned in one pass and needed in a later one. */
class Collected {
  readonly #kept: (count: number) => void;
  readonly locations = new Locations();
  /** Ways that relations are made of: their nodes, once known. */
  readonly memberWays = new Map<number, Float64Array | null>();
  readonly #relations = new Map<number, WantedRelation>();
  /** What kind of settlement a node is the center of, for the boundary around it. */
  readonly #centers = new Map<number, AreaRecord["kind"]>();

  constructor(fileBytes: number) {
    this.#kept = createBudget(fileBytes);
  }

  firstVisitor(items: RecordItem[]): Visitor {
    return {
      node: (id, latitude, longitude, reader) => {
        if (reader === null || !isWorthReading(reader)) return;
        const tags = reader.all();
        const kind = kindOf(tags);
        if (kind !== undefined) this.#centers.set(id, kind);
        push(
          items,
          { type: "node", id, tags, latitude, longitude },
          { box: null, isArea: tags["place"] !== undefined },
        );
      },
      way: (_, reader, refs) => {
        if (!isWorthReading(reader) || !isWanted(reader.all())) return;
        const nodes = refs();
        this.#kept(nodes.length);
        for (const node of nodes) this.locations.want(node);
      },
      relation: (id, reader, members) => {
        if (!isWorthReading(reader)) return;
        const tags = reader.all();
        if (!isWanted(tags)) return;
        const relation = { id, tags, members: members() };
        this.#kept(relation.members.length * memberWeight);
        this.#relations.set(id, relation);
        for (const member of relation.members) {
          if (member.type === "way") this.memberWays.set(member.id, null);
          if (member.type === "node") this.locations.want(member.id);
        }
      },
    };
  }

  memberVisitor(): Visitor {
    return {
      way: (id, _, refs) => {
        if (!this.memberWays.has(id)) return;
        const nodes = Float64Array.from(refs());
        this.#kept(nodes.length * 2);
        for (const node of nodes) this.locations.want(node);
        this.memberWays.set(id, nodes);
      },
    };
  }

  lastVisitor(items: RecordItem[]): Visitor {
    return {
      way: (id, reader, refs) => {
        if (!isWorthReading(reader)) return;
        const tags = reader.all();
        if (!isWanted(tags)) return;
        const line = [this.#pointsOf(refs())];
        const center = centerOf(line);
        const rings = ringsOf(line);
        const outline = { box: boxOf(line) ?? null, rings, isArea: rings !== undefined };
        if (center) push(items, elementAt("way", id, tags, center), outline);
      },
      relation: (id) => {
        const relation = this.#relations.get(id);
        if (relation) this.#tellRelation(relation, items);
      },
    };
  }

  #tellRelation({ id, tags, members }: WantedRelation, items: RecordItem[]): void {
    const ways = members.filter(({ type, role }) => type === "way" && role !== "inner");
    const pointsCount = ways.reduce((sum, member) => sum + (this.memberWays.get(member.id)?.length ?? 0), 0);
    if (pointsCount > pointsOfRelationMax)
      throw new ImportProblem(`Relation ${id} has an outline of ${pointsCount} points; the file is damaged.`);
    const lines = ways.map((member) => this.#pointsOf(this.memberWays.get(member.id) ?? []));
    const points = members.filter(({ type }) => type === "node").map((member) => this.#pointsOf([member.id]));
    const label =
      members.find(({ type, role }) => type === "node" && role === "label") ??
      members.find(({ type, role }) => type === "node" && role === "admin_centre");
    const labelPoint = label && this.locations.lookUp(label.id);
    const center = labelPoint ?? centerOf(lines) ?? centerOf(points);
    if (!center) return; // the extract ends before everything it is made of
    // A neighbor's boundary that the extract cuts through would become a sliver in the wrong place, and
    // is no area of the extract at all where its center lies outside.
    const outer = ringsOf(lines);
    const holes = members.filter(({ type, role }) => type === "way" && role === "inner");
    const inner = ringsOf(holes.map((member) => this.#pointsOf(this.memberWays.get(member.id) ?? []))) ?? [];
    push(items, elementAt("relation", id, tags, center), {
      box: (outer && boxOf(lines)) ?? null,
      rings: outer && [...outer, ...inner],
      isArea: outer !== undefined || labelPoint !== undefined,
      centerKind: this.#centers.get(label?.id ?? 0),
    });
  }

  #pointsOf(refs: Iterable<number>): Point[] {
    const points: Point[] = [];
    for (const ref of refs) {
      const point = this.locations.lookUp(ref);
      if (point) points.push(point);
    }
    return points;
  }
}

function isWorthReading(reader: { hasAny(keys: ReadonlySet<string>): boolean }): boolean {
  return reader.hasAny(naming) && reader.hasAny(interesting);
}

function isWanted(tags: Tags): boolean {
  return isBusiness(tags) || (tags["name"] !== undefined && kindOf(tags) !== undefined);
}

function elementAt(type: OsmElement["type"], id: number, tags: Tags, [latitude, longitude]: Point): OsmElement {
  return { type, id, tags, latitude, longitude };
}

function push(items: RecordItem[], element: OsmElement, outline: Outline & { isArea: boolean }): void {
  const place = recordOf(element);
  if (place) items.push({ place });
  const area = outline.isArea ? areaOf(element, outline) : undefined;
  if (area) items.push({ area });
}

const readableFeatures = new Set(["OsmSchema-V0.6", "DenseNodes", "LocationsOnWays"]);

function checkHeader(bytes: Uint8Array, blob: Blob): void {
  const wire = new Wire(bytes);
  try {
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag !== 0x22) {
        wire.skip(tag);
        continue;
      }
      const feature = wire.text();
      if (!readableFeatures.has(feature)) {
        throw new ImportProblem(
          `The file needs "${feature}" of its reader, which is not supported; use a plain extract.`,
        );
      }
    }
  } catch (cause) {
    throw cause instanceof RangeError ? damaged(blob, cause) : cause;
  }
}

function bytesOf(blobs: readonly Blob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0);
}
