import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Transform } from "node:stream";
import { ImportProblem, type ReadProgress } from "./reader.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const headBytes = 256 * 1024;

/** How a text file is encoded: by its byte order mark, else UTF-8 where it is that, else Latin-1 as Windows has it. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true }); // the head may end inside a letter
    return "utf-8";
  } catch {
    return "windows-1252";
  }
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
        const offset = progress.bytesRead - start;
        const message = `The text begins as ${encoding} and is something else after byte ${offset}; save it in one encoding, best UTF-8.`;
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
