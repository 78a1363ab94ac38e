import { storableText } from "../../../platform/text.ts";
import type { Wire } from "./protobuf.ts";

// A block of 32 MB may hold 16 million of anything that takes two bytes. Real blocks hold 8,000 objects,
// real ways 2,000 nodes and real relations 32,000 members; each bound is far above that, and is met
// before anything is allocated for what is over it.
const bounds = { groups: 10_000, texts: 1_000_000, objects: 1_000_000, refs: 100_000, members: 200_000, tags: 10_000 };

/** A RangeError is what every reader of a block takes for damage. */
export function checkCount(what: keyof typeof bounds, count: number): void {
  if (count > bounds[what]) throw new RangeError(`a block has more than ${bounds[what]} ${what}`);
}

/** The marks that make an object one of interest. */
export const allMarks = 3;

/** The texts of a block, each decoded when it is first wanted, and the marks of those that are keys. */
export class Texts {
  readonly #bytes: Uint8Array;
  readonly #marksOf: ((key: string) => number) | undefined;
  /** Where each begins and ends, in turns. */
  #ranges = new Uint32Array(1_024);
  #count = 0;
  readonly #texts: (string | undefined)[] = [];
  #marks: Uint8Array | undefined;

  constructor(bytes: Uint8Array, marksOf: ((key: string) => number) | undefined) {
    this.#bytes = bytes;
    this.#marksOf = marksOf;
  }

  /** Takes the texts of a table in, without looking at them. */
  add(wire: Wire): void {
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag !== 0x0a) {
        wire.skip(tag);
        continue;
      }
      checkCount("texts", this.#count + 1);
      if (this.#count * 2 === this.#ranges.length) this.#grow();
      this.#ranges[this.#count * 2] = wire.start();
      this.#ranges[this.#count * 2 + 1] = wire.position;
      this.#count += 1;
    }
  }

  at(index: number): string {
    const known = this.#texts[index];
    if (known !== undefined) return known;
    if (index >= this.#count) throw new RangeError("a text is referred to that is not there");
    const range = this.#bytes.subarray(this.#ranges[index * 2], this.#ranges[index * 2 + 1]);
    const text = storableText(decoder.decode(range));
    this.#texts[index] = text;
    return text;
  }

  /** Which marks a key has. Each key of a block is judged once, however many objects have it. */
  marksAt(index: number): number {
    if (!this.#marksOf) return allMarks;
    const marks = (this.#marks ??= new Uint8Array(this.#count));
    const known = marks[index];
    if (known !== undefined && known !== 0) return known & allMarks;
    const found = this.#marksOf(this.at(index)) & allMarks;
    marks[index] = found | seen;
    return found;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#ranges.length * 2);
    larger.set(this.#ranges);
    this.#ranges = larger;
  }
}

const seen = 4;
const decoder = new TextDecoder();
