import { randomBytes } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) text += base62Of(randomBytes(length));
  return text.slice(0, length);
}

/** A character for nearly every byte. */
export function base62Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    // 248 is the largest multiple of 62 in a byte; what lies above would favor the first characters.
    if (byte < 248) text += alphabet.charAt(byte % 62);
  }
  return text;
}

/** A number in base62, left-padded with `0`. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet.charAt(rest % 62) + text;
  return text.padStart(length, "0");
}
