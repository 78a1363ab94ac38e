import { type FileHandle, open } from "node:fs/promises";
import type { RecordItem } from "../../../places/record.ts";
import { type Blob, damaged, listBlobs, readBlob } from "./blobs.ts";
import { type BlockSummary, kinds } from "./block.ts";
import { type Centers, Collected } from "./collected.ts";
import { hasBetween, type LocationTable, newLocationTable } from "./locations.ts";
import { Wire } from "./protobuf.ts";
import type { PbfFindings, PbfTask } from "./steps.ts";
import { ImportProblem, laterOf, newProgress, type ReadOptions } from "../reader.ts";
import { type Performers, readAlone, runInOrder, type TaskReader } from "../tasks.ts";

export const osmPbf: TaskReader<PbfTask, PbfFindings> = {
  plan,
  // Whoever only plans needs none of the modules that make records of tags.
  open: async (path) => (await import("./perform.ts")).openPerformer(path),
  tasksPerThread: 2,
};

/** The places and areas of an extract. */
export function readOsmPbf(path: string, options: ReadOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(osmPbf, path, options);
}

/**
 * A way or relation lies where the nodes it is made of lie, which stand before it in the file. So the blocks are surveyed
 * from the last one back, until they hold nodes: then the nodes wanted are known, and those blocks are read once, for
 * their places and for the points of the ways. What is kept in memory is those points.
 */
async function* plan<Output>(
  path: string,
  { signal, progress = newProgress() }: ReadOptions,
  performers: Performers<PbfTask, PbfFindings, Output>,
): AsyncGenerator<Output, void, undefined> {
  const { blobs, size, areWaysLocated, observedAt } = await indexBlobs(path);
  if (observedAt !== undefined) progress.observedAt = observedAt;
  const known = new Map<Blob, Pick<PbfFindings, "summary" | "wantedWays">>();
  const positions = new Map(blobs.map((blob, index) => [blob, index]));
  const centers: Centers = new Map();
  const knownBlobs = (isWanted: (findings: Pick<PbfFindings, "summary" | "wantedWays">) => boolean) =>
    blobs.filter((blob) => {
      const findings = known.get(blob);
      return findings !== undefined && isWanted(findings);
    });

  async function* perform(tasks: Iterable<PbfTask>, learn: (findings: PbfFindings, blob: Blob) => void) {
    signal.throwIfAborted();
    for await (const { task, findings, output } of runInOrder(tasks, performers, numberOf)) {
      signal.throwIfAborted();
      if (task.step !== "relations") {
        progress.bytesRead += task.blob.size;
        learn(findings, task.blob);
      }
      yield output;
    }
  }

  /** Rows keep the order of nodes, ways, relations, and of the file, whichever blocks were surveyed. */
  function numberOf(task: PbfTask, index: number): number {
    if (task.step === "relations") return 2 * blobs.length + 1 + index;
    return (task.step === "ways" ? blobs.length : 0) + 1 + (positions.get(task.blob) ?? 0);
  }

  function meet({ summary, wantedWays }: PbfFindings, blob: Blob): void {
    known.set(blob, { summary, wantedWays });
    progress.objectsRead += summary.objects;
  }

  /** The ways that relations are made of, and then the table of all nodes that anything is made of. */
  async function* findNodes(collected: Collected): AsyncGenerator<Output, LocationTable, undefined> {
    const ways = collected.memberWayIds();
    const memberBlobs = knownBlobs(({ summary }) => hasBetween(ways, summary.firstWay, summary.lastWay));
    const reading = memberBlobs.map((blob): PbfTask => ({ step: "members", blob, ways }));
    yield* perform(reading, ({ memberWays }) => collected.addMemberWays(memberWays));
    return newLocationTable(collected.nodes);
  }

  let collected = new Collected(size);
  progress.bytesTotal = Math.round(size * 1.5); // corrected when the blocks to read again are known
  const surveyed: PbfFindings[] = [];
  let hasReachedNodes = false;
  yield* perform(surveyBack(), (findings, blob) => {
    surveyed.push(findings);
    hasReachedNodes ||= hasNodes(findings.summary);
    meet(findings, blob);
  });
  for (const findings of surveyed.toReversed()) collected.add(findings);
  let table = yield* findNodes(collected);

  const nodeBlobs = blobs.filter((blob) => hasNodes(known.get(blob)?.summary));
  progress.bytesTotal = progress.bytesRead + bytesOf(nodeBlobs) + bytesOf(knownBlobs(hasWantedWays));
  let isSorted = true;
  const visiting = nodeBlobs.map((blob): PbfTask => ({ step: "nodes", blob, table, isSurveyed: known.has(blob) }));
  yield* perform(visiting, (findings, blob) => {
    for (const [node, kind] of findings.centers) centers.set(node, kind);
    if (findings.wantedWays > 0 || findings.relations.length > 0) isSorted = false;
    if (!known.has(blob)) meet(findings, blob);
  });

  if (!isSorted) {
    // Ways stand before nodes: all of them are surveyed once more, and the blocks with their nodes read again.
    collected = new Collected(size);
    const again = knownBlobs(({ summary }) => (summary.kinds & ~kinds.node) !== 0);
    progress.bytesTotal = progress.bytesRead + bytesOf(again) + bytesOf(nodeBlobs) + bytesOf(knownBlobs(hasWantedWays));
    const surveying = again.map((blob): PbfTask => ({ step: "survey", blob }));
    yield* perform(surveying, (findings, blob) => {
      collected.add(findings);
      known.set(blob, findings);
    });
    const wanted = yield* findNodes(collected);
    table = wanted;
    const located = knownBlobs(
      ({ summary }) => hasNodes(summary) && hasBetween(wanted.ids, summary.firstNode, summary.lastNode),
    );
    progress.bytesTotal = progress.bytesRead + bytesOf(located) + bytesOf(knownBlobs(hasWantedWays));
    const locating = located.map((blob): PbfTask => ({ step: "locate", blob, table }));
    yield* perform(locating, () => undefined);
  }

  if (areWaysLocated) {
    // Such a file leaves out the nodes that have no tags: what it says of their places stands with the ways.
    const placing = knownBlobs(({ summary }) => (summary.kinds & kinds.way) !== 0);
    progress.bytesTotal += bytesOf(placing);
    yield* perform(
      placing.map((blob): PbfTask => ({ step: "locate", blob, table })),
      () => undefined,
    );
  }

  const telling = knownBlobs(hasWantedWays).map((blob): PbfTask => ({ step: "ways", blob, table }));
  yield* perform(telling, () => undefined);
  yield* perform(relationTasks(), () => undefined);

  function* surveyBack(): Generator<PbfTask> {
    for (const blob of blobs.toReversed()) {
      if (hasReachedNodes) return;
      yield { step: "survey", blob };
    }
  }

  function* relationTasks(): Generator<PbfTask> {
    for (const relations of collected.wholeRelations(centers)) yield { step: "relations", relations, table };
  }
}

/** A block that nobody has looked at may have some. */
function hasNodes(summary: BlockSummary | undefined): boolean {
  return summary === undefined || (summary.kinds & kinds.node) !== 0;
}

function hasWantedWays({ wantedWays }: Pick<PbfFindings, "wantedWays">): boolean {
  return wantedWays > 0;
}

type BlobIndex = { blobs: Blob[]; size: number; areWaysLocated: boolean; observedAt: string | undefined };

async function indexBlobs(path: string): Promise<BlobIndex> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const blobs: Blob[] = [];
    let areWaysLocated = false;
    let observedAt: string | undefined;
    for await (const blob of listBlobs(file, size)) {
      if (blob.type === "OSMHeader") {
        const header = readHeader(file, blob);
        areWaysLocated ||= header.features.has(waysLocated);
        observedAt = laterOf(observedAt, header.observedAt);
      }
      if (blob.type === "OSMData") blobs.push(blob);
    }
    return { blobs, size, areWaysLocated, observedAt };
  } finally {
    await file.close();
  }
}

const waysLocated = "LocationsOnWays";
const readableFeatures = new Set(["OsmSchema-V0.6", "DenseNodes", waysLocated]);

/** Fields of a header: what a reader must know, what it may make use of, and the second that the file is of. */
const headerTags = { required: 0x22, optional: 0x2a, replicatedAt: 0x100 };

/** What a header says that its file has, and when OpenStreetMap was as the file is. */
function readHeader(file: FileHandle, blob: Blob): { features: Set<string>; observedAt: string | undefined } {
  let observedAt: string | undefined;
  const features = new Set<string>();
  const wire = new Wire(readBlob(file, blob));
  try {
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === headerTags.replicatedAt) observedAt = dateOf(wire.varint());
      else if (tag !== headerTags.required && tag !== headerTags.optional) wire.skip(tag);
      if (tag !== headerTags.required && tag !== headerTags.optional) continue;
      const feature = wire.text();
      features.add(feature);
      if (tag === headerTags.required && !readableFeatures.has(feature)) {
        throw new ImportProblem(
          `The file needs "${feature}" of its reader, which is not supported; use a plain extract.`,
        );
      }
    }
    return { features, observedAt };
  } catch (cause) {
    throw cause instanceof RangeError ? damaged(blob, cause) : cause;
  }
}

/** Undefined for a second that no file can be of. */
function dateOf(seconds: number): string | undefined {
  const date = new Date(seconds * 1_000);
  return seconds > 0 && date.getUTCFullYear() < 9_999 ? date.toISOString() : undefined;
}

function bytesOf(blobs: readonly Blob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0);
}
