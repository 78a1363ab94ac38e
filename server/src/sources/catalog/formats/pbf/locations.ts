/** Many numbers in little room. */
class NumberList {
  #values = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** What was pushed, ascending, each once. */
  sortedSet(): Float64Array<ArrayBuffer> {
    const sorted = this.#values.subarray(0, this.#length).sort();
    let count = 0;
    for (const value of sorted) {
      if (count === 0 || sorted[count - 1] !== value) sorted[count++] = value;
    }
    return sorted.slice(0, count);
  }
}

const unknown = -0x8000_0000;
const unitsPerDegree = 1e7;

/**
 * Where the nodes lie that ways are made of: 16 bytes a node, and only the nodes that are wanted. First
 * all are wanted, then each is set once, then they are looked up.
 */
export class Locations {
  #wanted = new NumberList();
  #ids = new Float64Array(0);
  #latitudes = new Int32Array(0);
  #longitudes = new Int32Array(0);
  #at = 0;
  #last = -Infinity;

  want(id: number): void {
    this.#wanted.push(id);
  }

  /** Ends the wanting; from now on locations are set. */
  seal(): void {
    this.#ids = this.#wanted.sortedSet();
    this.#wanted = new NumberList();
    this.#latitudes = new Int32Array(this.#ids.length).fill(unknown);
    this.#longitudes = new Int32Array(this.#ids.length);
  }

  get count(): number {
    return this.#ids.length;
  }

  /** True when some wanted node has an id between these two. */
  hasBetween(first: number, last: number): boolean {
    const id = this.#ids[this.#find(first)];
    return id !== undefined && id <= last;
  }

  /** Nodes nearly always come with rising ids, so that the next one wanted is close to the last. */
  set(id: number, latitude: number, longitude: number): void {
    if (id < this.#last) this.#at = this.#find(id);
    this.#last = id;
    while ((this.#ids[this.#at] ?? Infinity) < id) this.#at += 1;
    if (this.#ids[this.#at] !== id) return;
    this.#latitudes[this.#at] = Math.round(latitude * unitsPerDegree);
    this.#longitudes[this.#at] = Math.round(longitude * unitsPerDegree);
  }

  lookUp(id: number): [latitude: number, longitude: number] | undefined {
    const at = this.#find(id);
    const latitude = this.#latitudes[at];
    const longitude = this.#longitudes[at];
    if (this.#ids[at] !== id || latitude === undefined || latitude === unknown || longitude === undefined)
      return undefined;
    return [latitude / unitsPerDegree, longitude / unitsPerDegree];
  }

  #find(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] ?? Infinity) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
