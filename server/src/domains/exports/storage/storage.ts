import type { Readable } from "node:stream";
import type { ErrorCode } from "../export.ts";

/** The first and the last byte to read. */
export type ByteRange = { start: number; end: number };

/**
 * Where finished files are kept. A file is there under its key whole or not at all, and never
 * changes: each attempt at an export uses a key of its own.
 */
export type Storage = {
  /** Recorded with each file, so that a process can tell files that it cannot reach. */
  readonly name: string;
  /** Takes over a whole file from the work folder; durable when it resolves. */
  put(key: string, path: string, mediaType: string, signal: AbortSignal): Promise<void>;
  /** Undefined when there is no such file; a file that has not all of these bytes is a failure. */
  read(key: string, range: ByteRange): Promise<Readable | undefined>;
  /** Removes files; those that are gone already count as removed. */
  remove(keys: readonly string[]): Promise<void>;
  /** Everything that is kept, for the retention loop. */
  list(): AsyncIterable<{ key: string; storedAt: Date }>;
  /** Drops what was begun before and never finished. */
  dropUnfinished(before: Date): Promise<void>;
};

/** The storage failed; trying again may help. */
export class StorageFailed extends Error {
  readonly code: Extract<ErrorCode, "storage_unavailable" | "storage_full">;

  constructor(cause: unknown, code: StorageFailed["code"] = "storage_unavailable") {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "StorageFailed";
    this.code = code;
  }
}

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** What the code of a failed system call on a file means for an export. */
export function fileErrorCode(code: string | undefined): StorageFailed["code"] {
  return code !== undefined && fullCodes.has(code) ? "storage_full" : "storage_unavailable";
}
