import { Worker } from "node:worker_threads";
import type { KnownArea } from "./store.ts";

/** The world's towns as arrays, in the order of their names' hashes. */
export type TownTable = {
  hashes: Uint32Array;
  phrases: string;
  phraseStarts: Uint32Array;
  latitudes: Float32Array;
  longitudes: Float32Array;
  populations: Uint32Array;
  countries: string;
};

export type Gazetteer = { townsNamed(phrase: string): KnownArea[] };

let shared: Promise<Gazetteer> | undefined;

/** The world's towns by name (GeoNames, CC BY 4.0), for a where that no import tells of. Read once per process. */
export function openGazetteer(read = readTable): Promise<Gazetteer> {
  shared ??= read()
    .then((table) => ({ townsNamed: (phrase: string) => townsNamed(table, phrase) }))
    .catch((error: unknown) => {
      shared = undefined; // too many open files, or too little memory: the next search tries again
      throw error;
    });
  return shared;
}

export function hashPhrase(phrase: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < phrase.length; index += 1) {
    hash = Math.imul(hash ^ phrase.charCodeAt(index), 16_777_619);
  }
  return hash >>> 0;
}

function readTable(): Promise<TownTable> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("gazetteer-reader.ts", import.meta.url));
    worker.unref();
    worker.once("message", resolve).once("error", reject);
    worker.once("exit", () => reject(new Error("The list of towns was not read.")));
  });
}

function townsNamed(table: TownTable, phrase: string): KnownArea[] {
  const hash = hashPhrase(phrase);
  const towns: KnownArea[] = [];
  for (let index = lowerBound(table.hashes, hash); table.hashes[index] === hash; index += 1) {
    const name = table.phrases.slice(table.phraseStarts[index], (table.phraseStarts[index + 1] ?? 0) - 1);
    if (name === phrase) towns.push(townAt(table, index, name));
  }
  return towns;
}

function townAt(table: TownTable, index: number, name: string): KnownArea {
  const population = table.populations[index] ?? 0;
  return {
    sourceId: "",
    name,
    names: [name],
    kind: population >= 50_000 ? "city" : "town",
    latitude: table.latitudes[index] ?? 0,
    longitude: table.longitudes[index] ?? 0,
    box: null,
    population,
    countryCode: table.countries.slice(index * 2, index * 2 + 2),
    level: null,
    shapeKey: null,
  };
}

function lowerBound(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}
