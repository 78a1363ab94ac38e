import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { KnownArea } from "./store.ts";
import { decodeTowns, findTowns, townAt } from "./towns/table.ts";

export type Gazetteer = { townsNamed(phrase: string): KnownArea[] };

/** Written by towns/write.ts. */
export const townsFile = new URL("towns/towns.br", import.meta.url);

const decompress = promisify(brotliDecompress);
let shared: Promise<Gazetteer> | undefined;

/** The world's towns by name (GeoNames, CC BY 4.0), for a where that no import tells of. Read once per process. */
export function openGazetteer(read = readTowns): Promise<Gazetteer> {
  shared ??= open(read).catch((error: unknown) => {
    shared = undefined; // too many open files, or too little memory: the next search tries again
    throw error;
  });
  return shared;
}

async function open(read: () => Promise<Uint8Array>): Promise<Gazetteer> {
  const table = decodeTowns(await read());
  return {
    townsNamed: (phrase) => findTowns(table, phrase).map((town) => areaOf(phrase, townAt(table, town))),
  };
}

async function readTowns(): Promise<Uint8Array> {
  return decompress(await readFile(townsFile));
}

function areaOf(name: string, { country, ...town }: ReturnType<typeof townAt>): KnownArea {
  return {
    ...town,
    sourceId: "",
    name,
    names: [name],
    kind: town.population >= 50_000 ? "city" : "town",
    box: null,
    countryCode: country,
    level: null,
    shapeKey: null,
  };
}
