import { randomFillSync } from "node:crypto";
import { cutText } from "./text.ts";

/**
 * TypeIDs: `<prefix>_<26 characters>`, the characters being a UUIDv7 in Crockford's base32.
 * They sort by the time they were made, and the plain UUID behind one is what the database keeps.
 */
export type IdPrefix = "job" | "exp" | "col" | "key" | "req" | "whe" | "dlv";

export function newId(prefix: IdPrefix, now?: Date): string {
  return `${prefix}_${encodeBase32(newUuidBytes(now))}`;
}

/** What is listed, streamed or removed by the order of its ids says `now` by the database's clock. */
export function newUuid(now?: Date): string {
  return toUuid(newUuidBytes(now));
}

/** The lowest UUID of a moment: whatever was made before it is smaller. */
export function firstUuidAt(moment: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(moment.getTime(), 0, 6);
  return toUuid(bytes);
}

/** When a UUIDv7 was made, in milliseconds. */
export function timeOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

export function idFromUuid(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${encodeBase32(Buffer.from(uuid.replaceAll("-", ""), "hex"))}`;
}

/** The UUID behind a TypeID; undefined when the text is not one of this prefix. */
export function uuidFromId(prefix: IdPrefix, id: string): string | undefined {
  if (!id.startsWith(`${prefix}_`)) return undefined;
  const bytes = decodeBase32(id.slice(prefix.length + 1));
  return bytes && toUuid(bytes);
}

const shownMax = 100;

/** An id as a sentence repeats it: a caller may ask for one of a megabyte, which took 150 ms to escape for an agent. */
export function shownId(id: string): string {
  if (id === "") return '"" (the id is empty)';
  return id.length > shownMax ? `${cutText(id, shownMax)}…` : id;
}

/** A JSON Schema pattern for the TypeIDs of one prefix. The first character carries only three bits. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** The value of a character by its code; 255 for those that are not in the alphabet. */
const valueByCode = new Uint8Array(128).fill(255);
for (let value = 0; value < alphabet.length; value += 1) valueByCode[alphabet.charCodeAt(value)] = value;

// One call to the random source serves 256 ids.
const randomPool = Buffer.alloc(10 * 256);
let randomUsed = randomPool.length;

let lastMs = 0;
let countInMs = 0;

/** Ids of one millisecond sort in the order in which a process made them; the twelve bits for that last for 4,096. */
function nextIn(ms: number): number {
  countInMs = ms === lastMs ? (countInMs + 1) & 0xfff : 0;
  lastMs = ms;
  return countInMs;
}

function newUuidBytes(now?: Date): Buffer {
  if (randomUsed === randomPool.length) {
    randomFillSync(randomPool);
    randomUsed = 0;
  }
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(now?.getTime() ?? Date.now(), 0, 6);
  randomPool.copy(bytes, 6, randomUsed, randomUsed + 10);
  randomUsed += 10;
  if (now) bytes.writeUInt16BE(nextIn(now.getTime()), 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return bytes;
}

function encodeBase32(bytes: Buffer): string {
  // 128 bits are written as 130, two zero bits in front.
  let text = "";
  let bits = 2;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return text;
}

function decodeBase32(text: string): Buffer | undefined {
  if (text.length !== 26) return undefined;
  const bytes = Buffer.allocUnsafe(16);
  let written = 0;
  let bits = -2; // the two zero bits in front are no part of the first byte
  let value = 0;
  for (let at = 0; at < 26; at += 1) {
    const five = valueByCode[text.charCodeAt(at)] ?? 255;
    if (five > 31 || (at === 0 && five > 7)) return undefined;
    value = (value << 5) | five;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[written] = value >>> bits;
    written += 1;
    value &= (1 << bits) - 1;
  }
  return bytes;
}

function toUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
