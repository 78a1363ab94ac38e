// Makes the sample country that comes along: node scripts/sample.ts ../shared/data/osm/liechtenstein-2024.osm.pbf
// It keeps what is found or names a place: places, landmarks, streets, boundaries, and addresses, those of buildings as
// points. What lies outside the country's boundary goes.
import { open, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Member, type Tags, visitBlock } from "../server/src/data-sets/2-read/pbf/block.ts";
import { listBlobs, readBlob } from "../server/src/data-sets/2-read/pbf/blobs.ts";
import {
  type SampleNode,
  type SampleRelation,
  type SampleWay,
  writeSample,
} from "../server/src/data-sets/2-read/pbf/sample.ts";
import { businessKeys, furtherTags, isBusiness } from "../server/src/kinds/index.ts";

export const samplePath = fileURLToPath(new URL("../server/data/sample/liechtenstein.osm.pbf", import.meta.url));

const country = "LI";

type Point = [latitude: number, longitude: number];
type Way = { id: number; tags: Tags; refs: number[] };
type Relation = { id: number; tags: Tags; members: Member[] };
type Extract = { nodes: SampleNode[]; ways: Map<number, Way>; relations: Relation[]; points: Map<number, Point> };

export async function makeSample(extractPath: string): Promise<Buffer> {
  const extract = await readExtract(extractPath);
  const isInside = boundaryOf(extract);
  const isPointInside = (point: Point | undefined) => point !== undefined && isInside(point);
  const relations = extract.relations.filter(
    (relation) => isTelling(relation.tags) && isPointInside(middleOf(pointsOfRelation(relation, extract))),
  );
  const memberWays = new Set(
    relations.flatMap(({ members }) => members.filter(({ type }) => type === "way").map(({ id }) => id)),
  );
  const inside = [...extract.ways.values()].filter(
    (way) => (isTelling(way.tags) || hasAddress(way.tags)) && isPointInside(middleOf(pointsOfWay(way, extract))),
  );
  const ways = [...memberWays].flatMap((id) => extract.ways.get(id) ?? []);
  ways.push(...inside.filter(({ id, tags }) => isTelling(tags) && !memberWays.has(id)));
  const addresses = inside.filter((way) => hasAddress(way.tags) && !isTelling(way.tags));
  const tagged = extract.nodes.filter(
    ({ latitude, longitude, tags = {} }) =>
      (isTelling(tags) || hasAddress(tags)) && isPointInside([latitude, longitude]),
  );
  return writeSample({
    nodes: nodesOf(tagged, ways, addresses, extract),
    ways: ways.map(({ id, refs, tags }): SampleWay => ({ id, refs, tags: kept(tags) })).toSorted(byId),
    relations: relations.map(toSampleRelation).toSorted(byId),
  });
}

async function readExtract(extractPath: string): Promise<Extract> {
  const extract: Extract = { nodes: [], ways: new Map(), relations: [], points: new Map() };
  const { nodes, ways, relations, points } = extract;
  const file = await open(extractPath);
  try {
    const set = (id: number, latitude: number, longitude: number) => void points.set(id, [latitude, longitude]);
    for await (const blob of listBlobs(file, (await file.stat()).size)) {
      if (blob.type !== "OSMData") continue;
      visitBlock(readBlob(file, blob), {
        locations: { hasBetween: () => true, wants: () => true, set, place: set },
        node: (id, latitude, longitude, tags) => void nodes.push({ id, latitude, longitude, tags: tags() }),
        way: (id, tags, refs) => void ways.set(id, { id, tags: tags(), refs: [...refs()] }),
        relation: (id, tags, members) => void relations.push({ id, tags: tags(), members: members() }),
      });
    }
  } finally {
    await file.close();
  }
  return extract;
}

/** Whether a point lies in the country: an odd number of its boundary's edges lies north of it. */
function boundaryOf(extract: Extract): (point: Point) => boolean {
  const boundary = extract.relations.find(({ tags }) => tags["ISO3166-1"] === country && tags["admin_level"] === "2");
  if (!boundary) throw new Error(`The extract has no boundary of ${country}.`);
  const edges = boundary.members.flatMap(({ type, id }) => {
    const way = type === "way" ? extract.ways.get(id) : undefined;
    const line = way ? pointsOfWay(way, extract) : [];
    return line.slice(1).map((end, at) => [line[at] ?? end, end] as const);
  });
  return ([latitude, longitude]) => {
    let north = 0;
    for (const [[fromY, fromX], [toY, toX]] of edges) {
      if (fromX > longitude === toX > longitude) continue;
      if (fromY + ((longitude - fromX) / (toX - fromX)) * (toY - fromY) > latitude) north += 1;
    }
    return north % 2 === 1;
  };
}

/** Of what is called something, these keys say that people may look for it or name a place by it. */
const telling = [...businessKeys, ...furtherTags.keys(), "place", "highway", "natural", "man_made", "public_transport"];
/** People look for these without a name. */
const unnamed: Readonly<Record<string, ReadonlySet<string>>> = {
  amenity: new Set(
    "toilets atm drinking_water charging_station fuel pharmacy post_box recycling parcel_locker".split(" "),
  ),
  leisure: new Set(["playground"]),
};

function isTelling(tags: Tags): boolean {
  if (tags["boundary"] === "administrative" || isBusiness(tags)) return true;
  if (tags["name"] !== undefined && telling.some((key) => tags[key] !== undefined)) return true;
  return Object.entries(unnamed).some(([key, values]) => values.has(tags[key] ?? ""));
}

function hasAddress(tags: Tags): boolean {
  return tags["addr:housenumber"] !== undefined;
}

/** Remarks of mappers are for mappers. */
const remarks = /^(?:source|note|fixme|comment|created_by|survey|check_date)(?::|$)/i;

function kept(tags: Tags): Tags {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !remarks.test(key)));
}

/** The tagged ones, those that ways are made of, and a point for each building that has an address and nothing else. */
function nodesOf(tagged: readonly SampleNode[], ways: readonly Way[], addresses: readonly Way[], extract: Extract) {
  const nodes = new Map<number, SampleNode>();
  for (const id of ways.flatMap(({ refs }) => refs)) {
    const point = extract.points.get(id);
    if (point) nodes.set(id, { id, latitude: point[0], longitude: point[1] });
  }
  for (const node of tagged) nodes.set(node.id, { ...node, tags: kept(node.tags ?? {}) });
  for (const way of addresses) {
    const [latitude, longitude] = middleOf(pointsOfWay(way, extract)) ?? [0, 0]; // it lies inside, so it has a middle
    const address = Object.entries(way.tags).filter(([key]) => key.startsWith("addr:"));
    const id = buildingNodes + way.id;
    nodes.set(id, { id, latitude, longitude, tags: Object.fromEntries(address) });
  }
  return [...nodes.values()].toSorted(byId);
}

/** Far above the ids of nodes: a building's point has the id of its way behind this. */
const buildingNodes = 1e13;

function toSampleRelation({ id, tags, members }: Relation): SampleRelation {
  const types = { node: 0, way: 1, relation: 2 } as const;
  return { id, tags: kept(tags), members: members.map((each) => ({ ...each, type: types[each.type] })) };
}

function pointsOfWay({ refs }: Way, { points }: Extract): Point[] {
  return refs.flatMap((id) => {
    const point = points.get(id);
    return point ? [point] : [];
  });
}

function pointsOfRelation({ members }: Relation, extract: Extract): Point[] {
  return members.flatMap(({ type, id }) => {
    const way = type === "way" ? extract.ways.get(id) : undefined;
    return way ? pointsOfWay(way, extract) : [];
  });
}

/** The middle of the box around points. */
function middleOf(points: readonly Point[]): Point | undefined {
  if (points.length === 0) return undefined;
  const middle = (axis: 0 | 1) => {
    const values = points.map((point) => point[axis]);
    return (values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b))) / 2;
  };
  return [middle(0), middle(1)];
}

function byId(one: { id: number }, other: { id: number }): number {
  return one.id - other.id;
}

const [, program, path] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  if (path === undefined) throw new Error("Say which extract: node scripts/sample.ts PATH");
  const bytes = await makeSample(path);
  await writeFile(samplePath, bytes);
  console.log(`Wrote ${bytes.length} bytes`);
}
