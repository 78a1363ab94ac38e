import { states } from "./states.ts";

/** The world's towns as arrays, in the order of their names; a town is its index in them. */
export type TownTable = {
  readonly count: number;
  readonly latitudesE5: Int32Array;
  readonly longitudesE5: Int32Array;
  readonly populations: Uint32Array;
  /** Two letters each. */
  readonly countries: Uint8Array;
  /** The number of the state, from 1 on; 0 in other countries. */
  readonly states: Uint8Array;
  /** The names one after the other, and where each begins. */
  readonly text: Uint8Array;
  readonly starts: Uint32Array;
};

/** A town under one of its names, which is a phrase as queries have them. */
export type Town = {
  phrase: string;
  latitude: number;
  longitude: number;
  population: number;
  country: string;
  /** The code of a state of the United States; empty in other countries. */
  state: string;
};

const e5 = 100_000;
const headerLength = 2;
const lengthMax = 255;

export function encodeTowns(towns: readonly Town[]): Buffer {
  const sorted = towns
    .map((town) => ({ ...town, name: Buffer.from(town.phrase).subarray(0, lengthMax) }))
    .sort((a, b) => Buffer.compare(a.name, b.name));
  const text = Buffer.concat(sorted.map(({ name }) => name));
  return Buffer.concat([
    bytesOf(Uint32Array.of(sorted.length, text.length)),
    bytesOf(Int32Array.from(sorted, ({ latitude }) => Math.round(latitude * e5))),
    bytesOf(Int32Array.from(sorted, ({ longitude }) => Math.round(longitude * e5))),
    bytesOf(Uint32Array.from(sorted, ({ population }) => population)),
    Buffer.from(sorted.map(({ country }) => country).join("")),
    Buffer.from(sorted.map(({ state }) => states.findIndex(({ code }) => code === state) + 1)),
    Buffer.from(sorted.map(({ name }) => name.length)),
    text,
  ]);
}

export function decodeTowns(stored: Uint8Array): TownTable {
  const { buffer } = Uint8Array.from(stored); // the copy is aligned for the arrays
  const [count = 0, textLength = 0] = new Uint32Array(buffer, 0, headerLength);
  let at = headerLength * 4;
  const next = (bytes: number) => (at += bytes) - bytes;
  const latitudesE5 = new Int32Array(buffer, next(count * 4), count);
  const longitudesE5 = new Int32Array(buffer, next(count * 4), count);
  const populations = new Uint32Array(buffer, next(count * 4), count);
  const countries = new Uint8Array(buffer, next(count * 2), count * 2);
  const statesOfTowns = new Uint8Array(buffer, next(count), count);
  const lengths = new Uint8Array(buffer, next(count), count);
  const text = new Uint8Array(buffer, next(textLength), textLength);
  const starts = new Uint32Array(count + 1);
  for (let town = 0; town < count; town += 1) starts[town + 1] = (starts[town] ?? 0) + (lengths[town] ?? 0);
  return { count, latitudesE5, longitudesE5, populations, countries, states: statesOfTowns, text, starts };
}

/** The towns whose name is this phrase. */
export function findTowns(table: TownTable, phrase: string): number[] {
  const name = Buffer.from(phrase);
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareName(table, middle, name) < 0) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let town = low; town < table.count && compareName(table, town, name) === 0; town += 1) found.push(town);
  return found;
}

export function townAt(table: TownTable, town: number): Omit<Town, "phrase"> {
  return {
    latitude: (table.latitudesE5[town] ?? 0) / e5,
    longitude: (table.longitudesE5[town] ?? 0) / e5,
    population: table.populations[town] ?? 0,
    country: String.fromCharCode(...table.countries.subarray(town * 2, town * 2 + 2)),
    state: states[(table.states[town] ?? 0) - 1]?.code ?? "",
  };
}

function compareName({ text, starts }: TownTable, town: number, name: Buffer): number {
  return -name.compare(text, starts[town] ?? 0, starts[town + 1] ?? 0);
}

function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
