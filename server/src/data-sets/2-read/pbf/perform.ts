import { type FileHandle, open } from "node:fs/promises";
import type { RecordItem } from "../../../places/record.ts";
import { areaOf, kindOf, type OsmElement, type Outline, recordOf } from "../../../places/osm-tags/index.ts";
import {
  businessKeys,
  furtherTags,
  isBusiness,
  isLandmark,
  isUnnamed,
  landmarkTags,
  unnamedKeys,
} from "../../../kinds/index.ts";
import { rankedLanguages } from "../../../languages/index.ts";
import type { Performer } from "../tasks.ts";
import { type Blob, damaged, readBlob, release } from "./blobs.ts";
import { type BlockSummary, newSummary, type Tags, type Visitor, visitBlock } from "./block.ts";
import { createBudget, memberWeight } from "./budget.ts";
import { boxOf, centerOf, type Point, ringsOf } from "./geometry.ts";
import { hasBetween, Locations, NumberList } from "./locations.ts";
import { labelOf, type PbfFindings, type PbfTask, type WantedRelation, type WholeRelation } from "./steps.ts";

/** Performs the steps of reading one extract. */
export async function openPerformer(path: string): Promise<Performer<PbfTask, PbfFindings>> {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    async perform(task, items) {
      const found = new Found(size);
      if (task.step === "relations") {
        const locations = new Locations(task.table);
        for (const relation of task.relations) pushRelation(relation, locations, items);
        return found.findings();
      }
      found.summary = visit(file, task.blob, visitorFor(task, found, items));
      return found.findings();
    },
    close: () => file.close(),
  };
}

function visit(file: FileHandle, blob: Blob, visitor: Visitor): BlockSummary {
  const bytes = readBlob(file, blob);
  try {
    return visitBlock(bytes, visitor);
  } catch (cause) {
    throw cause instanceof RangeError ? damaged(blob, cause) : cause;
  } finally {
    release(bytes);
  }
}

/** Gathers findings, within the budget of the file: what one block makes us keep is bounded as the whole is. */
class Found {
  summary: BlockSummary = newSummary();
  readonly keep: ReturnType<typeof createBudget>;
  readonly nodes = new NumberList();
  readonly relations: WantedRelation[] = [];
  readonly centers: PbfFindings["centers"] = [];
  readonly memberWays: PbfFindings["memberWays"] = [];
  wantedWays = 0;

  constructor(fileBytes: number) {
    this.keep = createBudget(fileBytes);
  }

  findings(): PbfFindings {
    const { summary, nodes, relations, centers, memberWays, wantedWays } = this;
    return { summary, nodes: nodes.toArray(), relations, centers, memberWays, wantedWays };
  }
}

type BlockTask = Exclude<PbfTask, { step: "relations" }>;

function visitorFor(task: BlockTask, found: Found, items: RecordItem[]): Visitor {
  if (task.step === "survey") return surveyingVisitor(found);
  if (task.step === "members") return memberVisitor(found, task.ways);
  const locations = new Locations(task.table);
  if (task.step === "ways") return wayVisitor(locations, items);
  if (task.step === "locate") return { locations };
  return { ...(task.isSurveyed ? {} : surveyingVisitor(found)), ...nodeVisitor(found, items), locations };
}

function nodeVisitor(found: Found, items: RecordItem[]): Visitor {
  return {
    marksOf: marksOfNode,
    node: (id, latitude, longitude, readTags) => {
      const tags = readTags();
      const kind = kindOf(tags);
      if (kind !== undefined) found.centers.push([id, kind]);
      const isArea = tags["place"] !== undefined || isLandmark(tags);
      push(items, { type: "node", id, tags, latitude, longitude }, { box: null, isArea });
    },
  };
}

/** Finds the ways and relations that are wanted, and the nodes that these ways are made of. */
function surveyingVisitor(found: Found): Visitor {
  return {
    marksOf,
    way: (_, tags, refs) => {
      if (!isWanted(tags())) return;
      found.wantedWays += 1;
      const nodes = refs();
      found.keep(nodes.length);
      for (const node of nodes) found.nodes.push(node);
    },
    relation: (id, readTags, members) => {
      const tags = readTags();
      if (!isWanted(tags)) return;
      const relation = { id, tags, members: members() };
      found.keep(relation.members.length * memberWeight);
      found.relations.push(relation);
    },
  };
}

function memberVisitor(found: Found, ways: Float64Array): Visitor {
  return {
    way: (id, _, refs) => {
      if (!hasBetween(ways, id, id)) return;
      const nodes = refs().slice();
      found.keep(nodes.length * 2);
      found.memberWays.push([id, nodes]);
    },
  };
}

function wayVisitor(locations: Locations, items: RecordItem[]): Visitor {
  return {
    marksOf,
    way: (id, readTags, refs) => {
      const tags = readTags();
      if (!isWanted(tags)) return;
      const line = [pointsOf(refs(), locations)];
      const center = centerOf(line);
      const rings = ringsOf(line);
      const outline = { box: boxOf(line) ?? null, rings, isArea: rings !== undefined || isLandmark(tags) };
      if (center) push(items, elementAt("way", id, tags, center), outline);
    },
  };
}

function pushRelation(relation: WholeRelation, locations: Locations, items: RecordItem[]): void {
  const { id, tags, members, nodes, centerKind } = relation;
  const linesOf = (isInner: boolean) =>
    members.flatMap(({ type, role }, index) =>
      type === "way" && (role === "inner") === isInner ? [pointsOf(nodes[index] ?? [], locations)] : [],
    );
  const lines = linesOf(false);
  const points = members.filter(({ type }) => type === "node").map((member) => pointsOf([member.id], locations));
  const label = labelOf(members);
  const labelPoint = label && locations.lookUp(label.id);
  const center = labelPoint ?? centerOf(lines) ?? centerOf(points);
  if (!center) return; // the extract ends before everything it is made of
  // A neighbor's boundary that the extract cuts through would become a sliver in the wrong place, and
  // is no area of the extract at all where its center lies outside.
  const outer = ringsOf(lines);
  const inner = ringsOf(linesOf(true)) ?? [];
  push(items, elementAt("relation", id, tags, center), {
    box: (outer && boxOf(lines)) ?? null,
    rings: outer && [...outer, ...inner],
    isArea: outer !== undefined || labelPoint !== undefined || isLandmark(tags),
    centerKind,
  });
}

function pointsOf(refs: Iterable<number>, locations: Locations): Point[] {
  const points: Point[] = [];
  for (const ref of refs) {
    const point = locations.lookUp(ref);
    if (point) points.push(point);
  }
  return points;
}

/** Nearly all objects are called nothing, and passed over by this. */
const naming: ReadonlySet<string> = new Set([
  "name",
  "brand",
  "operator",
  ...rankedLanguages.map((tag) => `name:${tag}`),
]);

/** Keys that make an object worth a closer look. */
const interesting: ReadonlySet<string> = new Set([
  ...businessKeys,
  ...furtherTags.keys(),
  ...[...landmarkTags.keys()].filter((key) => key !== "highway"),
  "place",
  "boundary",
]);

/** Only what is called something, or may do without, and has a key that makes it worth a closer look is looked at. */
function marksOf(key: string): number {
  if (unnamedKeys.has(key)) return 3;
  return (naming.has(key) ? 1 : 0) | (interesting.has(key) ? 2 : 0);
}

/** Streets have names too, and stops are no streets. */
function marksOfNode(key: string): number {
  return key === "highway" ? 2 : marksOf(key);
}

function isWanted(tags: Tags): boolean {
  return (
    isBusiness(tags) ||
    isUnnamed(tags) ||
    isLandmark(tags) ||
    (tags["name"] !== undefined && kindOf(tags) !== undefined)
  );
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
