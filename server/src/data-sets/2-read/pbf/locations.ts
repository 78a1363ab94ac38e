import { isPoint } from "../reader.ts";

/** Many numbers in little room. */
export class NumberList {
  #values = new Float64Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** What was pushed, in its order. */
  toArray(): Float64Array<ArrayBuffer> {
    return this.#values.slice(0, this.#length);
  }

  /** What was pushed, ascending, each once, in memory that threads share. */
  toSharedSet(): Float64Array<SharedArrayBuffer> {
    const sorted = this.#values.subarray(0, this.#length).sort();
    let count = 0;
    for (const value of sorted) {
      if (count === 0 || sorted[count - 1] !== value) sorted[count++] = value;
    }
    const shared = new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
    shared.set(sorted.subarray(0, count));
    return shared;
  }
}

const unknown = -0x8000_0000;
const unitsPerDegree = 1e7;

/** Where the nodes lie that ways are made of: 16 bytes a node, shared by all threads that read the file. */
export type LocationTable = {
  ids: Float64Array<SharedArrayBuffer>;
  latitudes: Int32Array<SharedArrayBuffer>;
  longitudes: Int32Array<SharedArrayBuffer>;
};

export function newLocationTable(wanted: NumberList): LocationTable {
  const ids = wanted.toSharedSet();
  const coordinates = () => new Int32Array(new SharedArrayBuffer(ids.length * Int32Array.BYTES_PER_ELEMENT));
  return { ids, latitudes: coordinates().fill(unknown), longitudes: coordinates() };
}

/** One thread's view of the table: each wanted node is set once, and looked up when all are. */
export class Locations {
  readonly #table: LocationTable;
  #at = 0;
  #last = Infinity;

  constructor(table: LocationTable) {
    this.#table = table;
  }

  /** Whether the table has a node between these two. */
  hasBetween(first: number, last: number): boolean {
    return hasBetween(this.#table.ids, first, last);
  }

  /** Nodes nearly always come with rising ids, so that the next one wanted is close to the last. */
  set(id: number, latitude: number, longitude: number): void {
    const { latitudes, longitudes } = this.#table;
    if (!this.wants(id)) return;
    latitudes[this.#at] = Math.round(latitude * unitsPerDegree);
    longitudes[this.#at] = Math.round(longitude * unitsPerDegree);
  }

  /** The same for a node in no order, as ways have theirs; one without a position is left as it is. */
  place(id: number, latitude: number, longitude: number): void {
    const { ids, latitudes, longitudes } = this.#table;
    const at = findAtLeast(ids, id);
    if (ids[at] !== id || !isPoint(latitude, longitude)) return;
    latitudes[at] = Math.round(latitude * unitsPerDegree);
    longitudes[at] = Math.round(longitude * unitsPerDegree);
  }

  wants(id: number): boolean {
    const { ids } = this.#table;
    if (id < this.#last) this.#at = findAtLeast(ids, id);
    this.#last = id;
    let at = this.#at;
    while ((ids[at] ?? Infinity) < id) at += 1;
    this.#at = at;
    return ids[at] === id;
  }

  lookUp(id: number): [latitude: number, longitude: number] | undefined {
    const { ids, latitudes, longitudes } = this.#table;
    const at = findAtLeast(ids, id);
    const latitude = latitudes[at];
    const longitude = longitudes[at];
    if (ids[at] !== id || latitude === undefined || latitude === unknown || longitude === undefined) return undefined;
    return [latitude / unitsPerDegree, longitude / unitsPerDegree];
  }
}

/** True when an ascending list has a number between these two. */
export function hasBetween(sorted: Float64Array, first: number, last: number): boolean {
  const found = sorted[findAtLeast(sorted, first)];
  return found !== undefined && found <= last;
}

function findAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
