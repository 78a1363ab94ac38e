import { type FileHandle, open } from "node:fs/promises";
import type { AreaRecord, RecordItem } from "../../open-data/record.ts";
import { type Blob, damaged, listBlobs, readBlob } from "./pbf/blobs.ts";
import { kinds } from "./pbf/block.ts";
import { createBudget, memberWeight } from "./pbf/budget.ts";
import { hasBetween, newLocationTable, NumberList } from "./pbf/locations.ts";
import { labelOf, type PbfFindings, type PbfTask, type WantedRelation, type WholeRelation } from "./pbf/steps.ts";
import { Wire } from "./pbf/protobuf.ts";
import { ImportProblem, newProgress, type ReadOptions } from "./reader.ts";
import { type Performers, readAlone, runInOrder, type TaskReader } from "./tasks.ts";

type KnownBlob = { blob: Blob } & Pick<PbfFindings, "summary" | "wantedWays">;

export const osmPbf: TaskReader<PbfTask, PbfFindings> = {
  plan,
  // Whoever only plans needs none of the modules that make records of tags.
  open: async (path) => (await import("./pbf/perform.ts")).openPerformer(path),
  tasksPerThread: 2,
};

/** The places and areas of an extract. */
export function readOsmPbf(path: string, options: ReadOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(osmPbf, path, options);
}

/**
 * A way or relation lies where the nodes it is made of lie, which stand before it in the file; so the
 * file is gone through again for those nodes and ways, and only their blocks are unpacked. What is kept
 * in memory is the points of the ways wanted.
 */
async function* plan<Output>(
  path: string,
  { signal, progress = newProgress() }: ReadOptions,
  performers: Performers<PbfTask, PbfFindings, Output>,
): AsyncGenerator<Output, void, undefined> {
  const { blobs, size } = await indexBlobs(path);
  const collected = new Collected(size);
  const known: KnownBlob[] = [];

  async function* perform(tasks: Iterable<PbfTask>, learn: (findings: PbfFindings, blob: Blob) => void) {
    signal.throwIfAborted();
    for await (const { task, findings, output } of runInOrder(tasks, performers)) {
      signal.throwIfAborted();
      if (task.step !== "relations") {
        progress.bytesRead += task.blob.size;
        learn(findings, task.blob);
      }
      yield output;
    }
  }

  progress.bytesTotal = Math.round(size * 2.5); // corrected when the blocks to read again are known
  const collecting = blobs.map((blob): PbfTask => ({ step: "collect", blob }));
  yield* perform(collecting, (findings, blob) => {
    collected.add(findings);
    const { summary, wantedWays } = findings;
    known.push({ blob, summary, wantedWays });
    progress.objectsRead += summary.objects;
  });

  const ways = collected.memberWayIds();
  const memberBlobs = known.filter(({ summary }) => hasBetween(ways, summary.firstWay, summary.lastWay));
  const reading = memberBlobs.map(({ blob }): PbfTask => ({ step: "members", blob, ways }));
  yield* perform(reading, ({ memberWays }) => collected.addMemberWays(memberWays));

  const table = newLocationTable(collected.nodes);
  const nodeBlobs = known.filter(
    ({ summary }) => (summary.kinds & kinds.node) !== 0 && hasBetween(table.ids, summary.firstNode, summary.lastNode),
  );
  const wayBlobs = known.filter(({ wantedWays }) => wantedWays > 0);
  progress.bytesTotal = progress.bytesRead + bytesOf(nodeBlobs) + bytesOf(wayBlobs);
  const locating = nodeBlobs.map(({ blob }): PbfTask => ({ step: "locate", blob, table }));
  yield* perform(locating, () => undefined);
  const telling = wayBlobs.map(({ blob }): PbfTask => ({ step: "ways", blob, table }));
  yield* perform(telling, () => undefined);
  yield* perform(relationTasks(), () => undefined);

  function* relationTasks(): Generator<PbfTask> {
    for (const relations of collected.wholeRelations()) yield { step: "relations", relations, table };
  }
}

async function indexBlobs(path: string): Promise<{ blobs: Blob[]; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const blobs: Blob[] = [];
    for await (const blob of listBlobs(file, size)) {
      if (blob.type === "OSMHeader") await checkHeader(file, blob);
      if (blob.type === "OSMData") blobs.push(blob);
    }
    return { blobs, size };
  } finally {
    await file.close();
  }
}

const pointsOfRelationMax = 4_000_000;
/** Of relations that are passed to a thread together. */
const pointsPerTask = 20_000;

/** What one step finds and a later one needs. */
class Collected {
  readonly #keep: (count: number) => void;
  readonly nodes = new NumberList();
  readonly #memberWays = new Map<number, Float64Array | null>();
  readonly #relations = new Map<number, WantedRelation>();
  readonly #centers = new Map<number, AreaRecord["kind"]>();

  constructor(fileBytes: number) {
    this.#keep = createBudget(fileBytes);
  }

  add({ nodes, relations, centers }: PbfFindings): void {
    for (const [node, kind] of centers) this.#centers.set(node, kind);
    this.#want(nodes);
    for (const relation of relations) {
      this.#keep(relation.members.length * memberWeight);
      this.#relations.set(relation.id, relation);
      for (const member of relation.members) {
        if (member.type === "way") this.#memberWays.set(member.id, null);
        if (member.type === "node") this.nodes.push(member.id);
      }
    }
  }

  memberWayIds(): Float64Array<SharedArrayBuffer> {
    const ids = new NumberList();
    for (const id of this.#memberWays.keys()) ids.push(id);
    return ids.toSharedSet();
  }

  addMemberWays(ways: PbfFindings["memberWays"]): void {
    for (const [id, nodes] of ways) {
      this.#keep(nodes.length);
      this.#want(nodes);
      this.#memberWays.set(id, nodes);
    }
  }

  #want(nodes: Float64Array): void {
    this.#keep(nodes.length);
    for (const node of nodes) this.nodes.push(node);
  }

  /** The relations with the nodes of their ways, some at a time. */
  *wholeRelations(): Generator<WholeRelation[], void, undefined> {
    let relations: WholeRelation[] = [];
    let points = 0;
    for (const relation of this.#relations.values()) {
      points += this.#countPoints(relation);
      const nodes = relation.members.map(({ type, id }) =>
        type === "way" ? (this.#memberWays.get(id) ?? undefined) : undefined,
      );
      relations.push({ ...relation, nodes, centerKind: this.#centers.get(labelOf(relation.members)?.id ?? 0) });
      if (points < pointsPerTask) continue;
      yield relations;
      relations = [];
      points = 0;
    }
    if (relations.length > 0) yield relations;
  }

  #countPoints({ id, members }: WantedRelation): number {
    const lengthOf = (member: WantedRelation["members"][number]) =>
      member.type === "way" ? (this.#memberWays.get(member.id)?.length ?? 0) : 1;
    const points = members.reduce((sum, member) => sum + lengthOf(member), 0);
    if (points > pointsOfRelationMax)
      throw new ImportProblem(`Relation ${id} has an outline of ${points} points; the file is damaged.`);
    return points;
  }
}

const readableFeatures = new Set(["OsmSchema-V0.6", "DenseNodes", "LocationsOnWays"]);

async function checkHeader(file: FileHandle, blob: Blob): Promise<void> {
  const wire = new Wire(await readBlob(file, blob));
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

function bytesOf(known: readonly KnownBlob[]): number {
  return known.reduce((sum, { blob }) => sum + blob.size, 0);
}
