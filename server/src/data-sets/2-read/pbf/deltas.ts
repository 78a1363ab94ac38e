import type { Wire } from "./protobuf.ts";
import { checkCount } from "./texts.ts";

/** Numbers that are written as steps from one to the next, in memory that is used again for the next list. */
export class Deltas {
  readonly #what: Parameters<typeof checkCount>[0];
  #values = new Float64Array(8_192);

  constructor(what: Parameters<typeof checkCount>[0]) {
    this.#what = what;
  }

  /** Decodes a list; returns how many numbers it has. */
  read(wire: Wire | undefined): number {
    if (!wire) return 0;
    const { bytes, end } = wire;
    let values = this.#values;
    let at = wire.position;
    let count = 0;
    let value = 0;
    while (at < end) {
      // Written out for the lengths that nearly all numbers have: in a loop each takes half as long again.
      let byte = bytes[at] ?? 0;
      let raw = byte & 0x7f;
      let length = 1;
      if (byte >= 0x80) {
        byte = bytes[at + 1] ?? 0;
        raw |= (byte & 0x7f) << 7;
        length = 2;
        if (byte >= 0x80) {
          byte = bytes[at + 2] ?? 0;
          raw |= (byte & 0x7f) << 14;
          length = 3;
          if (byte >= 0x80) {
            byte = bytes[at + 3] ?? 0;
            raw |= (byte & 0x7f) << 21;
            length = 4;
          }
        }
      }
      if (byte < 0x80) {
        value += (raw >>> 1) ^ -(raw & 1);
        at += length;
      } else {
        wire.position = at;
        value += wire.zigzag();
        at = wire.position;
      }
      if (count === values.length) values = this.#grow(count);
      values[count++] = value;
    }
    if (at > end) throw new RangeError("a list ends in the middle of a number");
    checkCount(this.#what, count);
    return count;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** The first numbers, until the next list is read. */
  values(count: number): Float64Array {
    return this.#values.subarray(0, count);
  }

  #grow(count: number): Float64Array<ArrayBuffer> {
    checkCount(this.#what, count + 1);
    const larger = new Float64Array(count * 2);
    larger.set(this.#values);
    this.#values = larger;
    return larger;
  }
}
