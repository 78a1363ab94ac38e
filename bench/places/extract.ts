import { open } from "node:fs/promises";
import { listBlobs, readBlob } from "../../server/src/data-sets/2-read/pbf/blobs.ts";
import { type SampleNode, type SampleWay, writeSample } from "../../server/src/data-sets/2-read/pbf/sample.ts";
import { randomFrom } from "./synthetic.ts";

const perBlock = 8_000;
const nodesPerWay = 10;
const cornersPerWay = 5;

/**
 * An OpenStreetMap extract in which, as in real ones, most objects are no places: of so many nodes, and of so many ways, one
 * is. Resolves to how many objects there are.
 */
export async function writeExtract(
  path: string,
  { nodes: nodeCount, objectsPerPlace }: { nodes: number; objectsPerPlace: number },
): Promise<number> {
  const random = randomFrom(11);
  const file = await open(path, "w");
  for (let first = 1; first <= nodeCount; first += perBlock) {
    const ids = Array.from({ length: Math.min(perBlock, nodeCount - first + 1) }, (_, index) => first + index);
    await file.write(writeSample({ nodes: ids.map((id) => nodeOf(id, random, id % objectsPerPlace === 0)) }));
  }
  const wayCount = Math.floor(nodeCount / nodesPerWay);
  for (let first = 1; first <= wayCount; first += perBlock) {
    const ids = Array.from({ length: Math.min(perBlock, wayCount - first + 1) }, (_, index) => first + index);
    await file.write(writeSample({ ways: ids.map((id) => wayOf(id, id % objectsPerPlace === 0)) }));
  }
  await file.close();
  return nodeCount + wayCount;
}

function nodeOf(id: number, random: () => number, isPlace: boolean): SampleNode {
  const point = { id, latitude: 47 + random(), longitude: 9 + random() };
  if (!isPlace) return point;
  return { ...point, tags: { name: `Place ${id}`, amenity: "cafe", phone: "+423 232 44 48" } };
}

function wayOf(id: number, isPlace: boolean): SampleWay {
  const first = (id - 1) * nodesPerWay + 1;
  const refs = [...Array.from({ length: cornersPerWay }, (_, corner) => first + corner), first];
  return isPlace ? { id, refs, tags: { name: `Market ${id}`, shop: "supermarket" } } : { id, refs };
}

/** The least that reading such a file takes: its blocks are read and unpacked, and nobody looks at them. */
export async function unpackAll(path: string): Promise<void> {
  const file = await open(path);
  const { size } = await file.stat();
  for await (const blob of listBlobs(file, size)) readBlob(file, blob);
  await file.close();
}
