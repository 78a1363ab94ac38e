import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Sink } from "./writer.ts";

export type WrittenFile = { sizeBytes: number; sha256: string };

/** The file could not be written: the disk is full, gone, or not ours. */
export class FileFailed extends Error {
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.name = "FileFailed";
    this.code = cause.code;
  }
}

/** Writes a file and its hash side by side. Only after `finish` is the file on disk and whole. */
export async function openFileSink(
  path: string,
): Promise<Sink & { finish(): Promise<WrittenFile>; close(): Promise<void> }> {
  const file = await open(path, "w", 0o600).catch(fail);
  const hash = createHash("sha256");
  let sizeBytes = 0;

  return {
    async write(bytes) {
      hash.update(bytes);
      sizeBytes += bytes.length;
      for (let written = 0; written < bytes.length;) {
        written += (await file.write(bytes, written).catch(fail)).bytesWritten;
      }
    },
    async finish() {
      await file.sync().catch(fail);
      return { sizeBytes, sha256: hash.digest("hex") };
    },
    close: () => file.close(),
  };
}

function fail(error: unknown): never {
  throw new FileFailed(error as NodeJS.ErrnoException); // every failure of a file is one
}
