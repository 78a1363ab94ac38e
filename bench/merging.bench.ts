// Which records are one business? Real pairs at one address, judged one by one in bench/merging/labels.tsv, where the
// extracts are at hand: npm run bench -- merging [--show]. Below .93 of the same ones merged, or above .05 of the
// different ones, the run fails. A third of the pairs was held out while the weights were chosen.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { degreeM } from "../server/src/geography/points.ts";
import { contactsOf, type Described, distanceMaxM, pairUp } from "../server/src/places/merge/pair.ts";
import type { PlaceRecord } from "../server/src/places/record.ts";
import { wordsOf } from "../server/src/text/words.ts";
import { readExtract } from "./places/tagged-questions.ts";

const rightMin = 0.93;
const wrongMax = 0.05;

const older = "osm/andorra-2025.osm.pbf";
const extracts = [
  "overture/overture-places-sample-2025-02.parquet",
  "osm/liechtenstein-2024.osm.pbf",
  "osm/monaco-2025.osm.pbf",
  older,
  "osm/andorra-2026-04.osm.pbf",
];

type Label = { isSame: boolean; reason: string; isHeldOut: boolean };
type Pair = Label & { first: PlaceRecord; second: PlaceRecord };

export async function run(words: string[]): Promise<void> {
  const labels = readLabels();
  const records = new Map<string, PlaceRecord>();
  const earlier = new Map<string, PlaceRecord>();
  for (const path of extracts) {
    const items = await readExtract(path);
    if (!items) return console.log(`${path} is not here: nothing to compare`);
    for (const item of items) {
      if (!("place" in item)) continue;
      records.set(item.place.sourceId, item.place);
      if (path === older) earlier.set(item.place.sourceId, item.place);
    }
  }
  const pairs = [...pairsOf(records, earlier, labels)];
  if (pairs.length < labels.size)
    throw new Error(`${labels.size - pairs.length} labelled pairs are not in the extracts`);

  for (const [reason, list] of Map.groupBy(pairs, (pair) => `${pair.isSame ? "same" : "different"}: ${pair.reason}`)) {
    console.log(`${reason.padEnd(90)} ${String(list.length).padStart(4)}  merged ${shareMerged(list).toFixed(3)}`);
    if (words.includes("--show")) for (const pair of list) if (isMerged(pair) !== pair.isSame) show(pair);
  }
  const [same, different] = [pairs.filter(({ isSame }) => isSame), pairs.filter(({ isSame }) => !isSame)];
  for (const [part, isIn] of [
    ["chosen on", ({ isHeldOut }: Pair) => !isHeldOut],
    ["held out", ({ isHeldOut }: Pair) => isHeldOut],
  ] as const) {
    console.log(`${part}: ${figures(same.filter(isIn), different.filter(isIn))}`);
  }
  console.log(`all: ${figures(same, different)} (at least ${rightMin}, at most ${wrongMax})`);
  if (shareMerged(same) < rightMin || shareMerged(different) > wrongMax) process.exitCode = 1;
}

function readLabels(): Map<string, Label> {
  const text = readFileSync(new URL("merging/labels.tsv", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [hash = "", label, reason = ""] = line.split("\t");
      return [hash, { isSame: label === "same", reason, isHeldOut: Number.parseInt(hash.slice(-1), 16) % 3 === 0 }];
    }),
  );
}

function* pairsOf(
  records: ReadonlyMap<string, PlaceRecord>,
  earlier: ReadonlyMap<string, PlaceRecord>,
  labels: ReadonlyMap<string, Label>,
): Iterable<Pair> {
  const labelOf = (...ids: string[]) =>
    labels.get(createHash("sha256").update(ids.sort().join(" ")).digest("hex").slice(0, 16));
  for (const [id, first] of earlier) {
    const [label, second] = [labelOf(id, id), records.get(id)];
    if (label && second) yield { ...label, first, second };
  }
  const fromSouth = [...records.values()].sort((a, b) => a.latitude - b.latitude);
  const latitudeMax = (1.01 * distanceMaxM) / degreeM;
  for (const [at, first] of fromSouth.entries()) {
    for (let next = at + 1; next < fromSouth.length; next += 1) {
      const second = fromSouth[next];
      if (!second || second.latitude - first.latitude > latitudeMax) break;
      if (Math.abs(second.longitude - first.longitude) > 0.01) continue;
      const label = labelOf(first.sourceId, second.sourceId);
      if (label) yield { ...label, first, second };
    }
  }
}

function isMerged({ first, second }: Pair): boolean {
  return pairUp([described(1, first)], [described(2, second)]).size === 1;
}

function described(number: number, record: PlaceRecord): Described {
  const { sourceId, name, categories, latitude, longitude, details } = record;
  return { number, sourceId, latitude, longitude, nameWords: wordsOf(name), categories, contacts: contactsOf(details) };
}

function shareMerged(pairs: readonly Pair[]): number {
  return pairs.filter(isMerged).length / pairs.length;
}

function figures(same: readonly Pair[], different: readonly Pair[]): string {
  const part = (pairs: readonly Pair[]) => `${shareMerged(pairs).toFixed(3)} of ${pairs.length}`;
  return `same ones merged ${part(same)}, different ones merged ${part(different)}`;
}

function show({ first, second }: Pair) {
  console.log(`    ${first.name} (${first.categories[0]}) | ${second.name} (${second.categories[0]})`);
}
