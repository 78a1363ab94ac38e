import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Transform } from "node:stream";
import { ImportProblem, type ReadProgress } from "./reader.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const headBytes = 256 * 1024;

/** How a text file is encoded: by its byte order mark, else UTF-16 where every other byte tells of it, else UTF-8 where it is that, else Latin-1 as Windows has it. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  const [even, odd] = zerosIn(head);
  if (odd > 0 && even === 0) return "utf-16le";
  if (even > 0 && odd === 0) return "utf-16be";
  return beginsAsUtf8(head) || isDamagedUtf8(head) ? "utf-8" : "windows-1252";
}

const sampleBytes = 4_096;
/** Of all pairs of bytes: digits, blanks and separators alone are more. */
const zerosShare = 0.1;

/** How many bytes are zero at even and at odd positions; none where they are few, which is no text. */
function zerosIn(head: Uint8Array): [even: number, odd: number] {
  const zeros: [number, number] = [0, 0];
  const sample = head.subarray(0, sampleBytes);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  return zeros[0] + zeros[1] < (sample.length / 2) * zerosShare ? [0, 0] : zeros;
}

/** What Polish, Japanese and other tables show when they are read as Latin-1: signs within words, and letters in rows. */
const signsInWords = /(?<=\p{L})[\u0080-\u009f¢£¤¥¦§¨©«¬¯±²³µ¶¸¹»¼½¾¿×÷†‡ƒ‰](?=\p{L})|(?<!\p{L})£(?=\p{L}{2})/gu;
const foreignRows = /[\u0080-\uffff]{4,}/g;

/** Whether a text is one, and not one of another encoding of single bytes or pairs of them. */
export function isPlausibleLatin(text: string): boolean {
  const foreign = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
  const signs = text.match(signsInWords)?.length ?? 0;
  const rows = (text.match(foreignRows) ?? []).filter((row) => (row.match(/\p{L}/gu)?.length ?? 0) > 2);
  return (signs + rows.join("").length) * 10 < Math.max(1, foreign);
}

/** Whether it is UTF-8, of which the end may stand inside a letter. */
function beginsAsUtf8(beginning: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const letters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
/** Latin-1 text contains a letter of UTF-8 by accident, such as `É®`, less often than once in this many other bytes. */
const straysPerLetter = 10;

/** Read as Latin-1, one stray byte would garble every name of a table. */
function isDamagedUtf8(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  const found = text.match(letters) ?? [];
  const foreign = text.match(/[\x80-\xff]/g)?.length ?? 0;
  return foreign - found.join("").length < found.length * straysPerLetter;
}

export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The text of a file as a stream; a byte that its encoding does not have stops the import instead of becoming `�`. */
export function decodedStream(
  path: string,
  encoding: Encoding,
  progress: ReadProgress,
  signal: AbortSignal,
): Transform {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const start = progress.bytesRead;
  const text = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        const decoded = decoder.decode(chunk, { stream: true });
        progress.bytesRead += chunk.length;
        done(null, decoded);
      } catch (cause) {
        const offset = progress.bytesRead - start + (encoding === "utf-8" ? readableBytes(chunk) : 0);
        const message = `The text begins as ${encoding} and is something else at byte ${offset}; save it in one encoding, best UTF-8.`;
        done(new ImportProblem(message, { offset, cause }));
      }
    },
    flush(done) {
      try {
        done(null, decoder.decode());
      } catch (cause) {
        done(new ImportProblem("The file ends inside a letter; is it complete?", { cause }));
      }
    },
    encoding: "utf8",
  });
  createReadStream(path, { signal })
    .on("error", (error) => text.destroy(error))
    .pipe(text);
  return text;
}

/** How much of a part of a text is UTF-8. The part may begin inside a letter. */
function readableBytes(part: Buffer): number {
  const first = Math.max(
    0,
    part.findIndex((byte) => (byte & 0xc0) !== 0x80),
  );
  let [readable, unreadable] = [first, part.length];
  if (beginsAsUtf8(part.subarray(first))) return 0; // the letter at its beginning is none
  while (unreadable - readable > 1) {
    const middle = (readable + unreadable) >> 1;
    if (beginsAsUtf8(part.subarray(first, middle))) readable = middle;
    else unreadable = middle;
  }
  // What looked like the beginning of a letter is where it goes wrong.
  while (readable > first && !isUtf8(part.subarray(first, readable))) readable -= 1;
  return readable;
}
