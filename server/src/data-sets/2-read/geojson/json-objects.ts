import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { ImportProblem, newProgress, type ReadOptions } from "../reader.ts";

export type JsonObject = Record<string, unknown>;

/** No feature of a place is larger; as objects, it takes ten times as much memory. */
const objectBytesMax = 16 * 1024 * 1024;

const byte = { quote: 0x22, backslash: 0x5c, open: 0x7b, close: 0x7d, openList: 0x5b, closeList: 0x5d };

/** The bytes of one object, and where in the file they begin. They are valid until the next object is read. */
export type JsonBytes = { bytes: Buffer; offset: number };

/**
 * The features of a GeoJSON file one after another, without reading it whole: the members of a
 * collection's `features`, the members of a list, or one object to a line.
 */
export async function* findJsonObjects(path: string, options: ReadOptions): AsyncGenerator<JsonBytes, void, undefined> {
  const { signal, progress = newProgress() } = options;
  const scanner = new Scanner();
  // The position is an offset of the file; the pending bytes begin at an offset of their own.
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1024 * 1024 })) {
    yield* scanner.scan(chunk);
    progress.bytesRead += chunk.length;
  }
  scanner.finish();
}

export function parseJsonObject({ bytes, offset }: JsonBytes): JsonObject {
  if (!isUtf8(bytes)) {
    throw new ImportProblem(`What begins at byte ${offset} is not UTF-8, as JSON is; save the file so.`, { offset });
  }
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw unreadable(offset, cause);
  }
}

class Scanner {
  #pending: Buffer = Buffer.alloc(0);
  #pendingOffset = 0;
  #at = 0;
  #depth = 0;
  #isInString = false;
  #stringStart = 0;
  #key = "";
  /** How deep the objects lie that are given out, and where the one being read began. */
  #memberDepth = 0;
  #start = -1;

  *scan(chunk: Buffer): Generator<JsonBytes, void, undefined> {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (; this.#at < this.#pending.length; this.#at += 1) {
      const object = this.#step(this.#pending[this.#at] ?? 0);
      if (object) yield object;
    }
    this.#forget();
  }

  finish(): void {
    if (this.#depth === 0 && !this.#isInString) return;
    const begin = this.#start >= 0 ? this.#pendingOffset + this.#start : undefined;
    throw new ImportProblem(
      `The file is truncated: it ends at byte ${this.#pendingOffset + this.#at}, ${
        begin === undefined
          ? "before its list of features does"
          : `in the middle of the object that begins at byte ${begin}`
      }.`,
      { offset: begin ?? this.#pendingOffset + this.#at },
    );
  }

  #step(value: number): JsonBytes | undefined {
    if (this.#isInString) {
      if (value === byte.backslash) this.#at += 1;
      else if (value === byte.quote) this.#endString();
      return undefined;
    }
    if (value === byte.quote) {
      this.#isInString = true;
      this.#stringStart = this.#at + 1;
    } else if (value === byte.open || value === byte.openList) {
      this.#enter(value);
    } else if (value === byte.close || value === byte.closeList) {
      return this.#leave(value);
    }
    return undefined;
  }

  #endString(): void {
    this.#isInString = false;
    if (this.#depth === 1) this.#key = this.#pending.toString("utf8", this.#stringStart, this.#at);
  }

  #enter(value: number): void {
    if (value === byte.openList && this.#depth <= 1 && (this.#depth === 0 || this.#key === "features")) {
      this.#memberDepth = this.#depth + 1;
      this.#start = -1;
    } else if (value === byte.open && this.#depth === this.#memberDepth) {
      this.#start = this.#at;
    }
    this.#depth += 1;
  }

  #leave(value: number): JsonBytes | undefined {
    this.#depth -= 1;
    if (this.#depth < 0) throw unreadable(this.#pendingOffset + this.#at);
    if (this.#depth < this.#memberDepth) {
      this.#memberDepth = 0; // the list ended; what follows it stands on its own again
      return undefined;
    }
    if (value !== byte.close || this.#depth !== this.#memberDepth || this.#start < 0) return undefined;
    const start = this.#start;
    this.#start = -1;
    return { bytes: this.#pending.subarray(start, this.#at + 1), offset: this.#pendingOffset + start };
  }

  /** Lets go of what has been given out. */
  #forget(): void {
    const keepFrom = this.#start >= 0 ? this.#start : this.#isInString ? this.#stringStart : this.#at;
    if (this.#pending.length - keepFrom > objectBytesMax) {
      throw new ImportProblem(`The object at byte ${this.#pendingOffset + keepFrom} is larger than 16 MB.`, {
        offset: this.#pendingOffset + keepFrom,
      });
    }
    const cut = Math.min(keepFrom, this.#pending.length);
    this.#pending = this.#pending.subarray(cut);
    this.#pendingOffset += cut;
    this.#at -= cut;
    this.#stringStart -= cut;
    if (this.#start >= 0) this.#start -= cut;
  }
}

function unreadable(offset: number, cause?: unknown): ImportProblem {
  return new ImportProblem(`The file is damaged: what begins at byte ${offset} is no JSON.`, { offset, cause });
}
