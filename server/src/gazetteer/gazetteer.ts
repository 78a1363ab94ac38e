import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { transliterations } from "../text/transliterate.ts";
import type { Contains } from "../geography/shape.ts";
import type { KnownArea } from "./known-area.ts";
import { createStateMap, type StateMap } from "./towns/state-map.ts";
import { stateCoded, stateNamed } from "./towns/states.ts";
import { decodeTowns, findTowns, townAt } from "./towns/table.ts";

export type Gazetteer = {
  townsNamed(phrase: string): KnownArea[];
  /** A state of the United States; its middle is its largest town. */
  stateNamed(phrase: string): KnownArea | undefined;
  /** The same by its code, which means that only behind the name of a town. */
  stateCoded(phrase: string): KnownArea | undefined;
  /** Whether a point lies in the state of this code, as far as the nearest town tells. */
  isInState(code: string): Contains;
};

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
  let map: StateMap | undefined; // made for the first question about a state

  /** Towns in the letters of their country, which the list has in Latin ones; a word of Cyrillic is no town of Spain. */
  function atHome(phrase: string): Town[] {
    const towns = transliterations(phrase).flatMap((latin) =>
      findTowns(table, latin).map((town) => townAt(table, town)),
    );
    return towns.filter(({ country }) => lettersOf(country)?.test(phrase));
  }

  return {
    townsNamed(phrase) {
      const towns = [...new Set([phrase, respelled(phrase)])].flatMap((each) => findTowns(table, each));
      return [...towns.map((town) => townAt(table, town)), ...atHome(phrase)].map((town) => areaOf(phrase, town));
    },
    stateNamed(phrase) {
      const code = stateNamed(phrase);
      const extent = code === undefined ? undefined : (map ??= createStateMap(table)).extentOf(code);
      return extent && stateOf(phrase, extent);
    },
    stateCoded(phrase) {
      const code = stateCoded(phrase);
      const extent = code === undefined ? undefined : (map ??= createStateMap(table)).extentOf(code);
      return extent && stateOf(phrase, extent);
    },
    isInState: (code) => (map ??= createStateMap(table)).isInState(code),
  };
}

const letters: Readonly<Record<string, RegExp>> = {
  Cyrl: /\p{Script=Cyrillic}/u,
  Geor: /\p{Script=Georgian}/u,
  Grek: /\p{Script=Greek}/u,
};

function lettersOf(country: string): RegExp | undefined {
  return letters[new Intl.Locale(`und-${country}`).maximize().script ?? ""];
}

/** The list has some names with an abbreviation and some in full: St George, Mount Pleasant. */
const spellings: ReadonlyMap<string, string> = new Map(
  ["st saint", "mt mount", "ft fort"].flatMap((pair): [string, string][] => {
    const [short = "", full = ""] = pair.split(" ");
    return [
      [short, full],
      [full, short],
    ];
  }),
);

function respelled(phrase: string): string {
  return phrase
    .split(" ")
    .map((word) => spellings.get(word) ?? word)
    .join(" ");
}

async function readTowns(): Promise<Uint8Array> {
  return decompress(await readFile(townsFile));
}

const unlisted = { sourceId: "", level: null } as const;

type Town = ReturnType<typeof townAt>;

function areaOf(name: string, town: Town): KnownArea {
  const { latitude, longitude, population, country } = town;
  return {
    ...unlisted,
    latitude,
    longitude,
    population,
    name,
    names: [name],
    kind: population >= 50_000 ? "city" : "town",
    box: null,
    countryCode: country,
    shapeKey: null,
  };
}

function stateOf(name: string, { code, box, largest }: NonNullable<ReturnType<StateMap["extentOf"]>>): KnownArea {
  const { latitude, longitude } = largest;
  return {
    ...unlisted,
    latitude,
    longitude,
    population: null,
    name,
    names: [name],
    kind: "region",
    box,
    countryCode: "US",
    shapeKey: `${stateShape}${code}`,
  };
}

/** States have no outline of their own: the towns in them tell. */
const stateShape = "state ";

/** The code of the state that a shape stands for; undefined for a shape of an import. */
export function stateOfShape(shapeKey: string): string | undefined {
  return shapeKey.startsWith(stateShape) ? shapeKey.slice(stateShape.length) : undefined;
}
