import type { Encoding, ParquetType } from "hyparquet";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit, readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";

/** Values by their position; those of a page that are null have none. */
export type Values = { at(index: number): unknown };

export type ValueType = { type: ParquetType; typeLength: number | undefined };

export function isOfDictionary(encoding: Encoding): boolean {
  return encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
}

/** Values that a page spells out. Texts and other bytes stay in the page until somebody asks for them. */
export function readValues(bytes: Buffer, count: number, encoding: Encoding, { type, typeLength }: ValueType): Values {
  if (count === 0) return listed([]);
  if (encoding === "PLAIN" && type === "BYTE_ARRAY") return readPlainBytes(bytes, count);
  const reader = { view: viewOf(bytes), offset: 0 };
  if (encoding === "PLAIN") return listed(readPlain(reader, type, count, typeLength));
  if (encoding === "BYTE_STREAM_SPLIT") return listed(byteStreamSplit(reader, count, type, typeLength));
  if (encoding === "DELTA_BINARY_PACKED") {
    const numbers = type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
    deltaBinaryUnpack(reader, count, numbers);
    return listed(numbers);
  }
  const texts: Uint8Array[] = [];
  if (encoding === "DELTA_BYTE_ARRAY") deltaByteArray(reader, count, texts);
  else if (encoding === "DELTA_LENGTH_BYTE_ARRAY") deltaLengthByteArray(reader, count, texts);
  else throw new Error(`A page has the encoding ${encoding}.`);
  return listed(texts);
}

/** Values of which a page has only the positions in a dictionary. */
export function readIndexes(bytes: Buffer, count: number, dictionary: Values | undefined): Values {
  if (!dictionary) throw new Error("A page refers to a dictionary that is not there.");
  const indexes = new Uint32Array(count);
  const width = count === 0 ? 0 : bytes.readUInt8();
  if (width > 32) throw new Error("A page has positions of more than 32 bits.");
  if (width > 0) readRleBitPackedHybrid({ view: viewOf(bytes), offset: 1 }, width, indexes, bytes.length - 1);
  return { at: (index) => dictionary.at(indexes[index] ?? 0) };
}

/** The same values made into something else. */
export function made(values: Values, make: (value: unknown) => unknown): Values {
  return { at: (index) => make(values.at(index)) };
}

/** Each is made once: a dictionary has few values, and they are read often. */
export function madeOnce(values: Values, make: (value: unknown) => unknown): Values {
  const known: unknown[] = [];
  return { at: (index) => (known[index] ??= make(values.at(index))) };
}

export function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function listed(values: ArrayLike<unknown>): Values {
  return { at: (index) => values[index] };
}

const lengthBytes = 4;

/** Each stands behind its length. */
function readPlainBytes(bytes: Buffer, count: number): Values {
  const starts = new Uint32Array(count + 1);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    starts[index] = at + lengthBytes;
    at += lengthBytes + bytes.readUInt32LE(at);
  }
  if (at > bytes.length) throw new Error("A page ends within a value.");
  starts[count] = at + lengthBytes;
  return { at: (index) => bytes.subarray(starts[index], (starts[index + 1] ?? 0) - lengthBytes) };
}
