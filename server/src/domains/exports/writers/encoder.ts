import { Worker } from "node:worker_threads";
import type { Connection } from "../../../platform/postgres/database.ts";
import type { Sql } from "../../../platform/postgres/sql.ts";
import type { Format } from "../export.ts";
import type { WrittenFile } from "./file-sink.ts";
import type { FileContext } from "./writer.ts";

export type EncodeTask = {
  connection: Connection;
  /** One column, one stored record to a row. */
  rows: Pick<Sql, "text" | "values" | "name">;
  format: Format;
  path: string;
  context: FileContext;
};

export type Encoded = WrittenFile & { rowCount: number };

/** What failed: the database was away, the file could not be written, or the rows could not be encoded. */
type Failure = { part: "database" | "file" | "encoding"; message: string; code: string | undefined };
export type ThreadAnswer = { encoded: Encoded } | { failure: Failure };

/** A file could not be made. */
export class EncodingFailed extends Error {
  readonly part: Failure["part"];
  /** Of the system call that failed, such as ENOSPC. */
  readonly code: string | undefined;

  constructor({ part, message, code }: Failure) {
    super(message);
    this.name = "EncodingFailed";
    this.part = part;
    this.code = code;
  }
}

/** What one file may take of the heap; V8 collects earlier for it, and the largest group stays far below. */
const heapMegabytes = 128;

/** Makes a file in a thread of its own. An aborted one stops at once and leaves its half file behind. */
export async function encodeInThread(task: EncodeTask, signal: AbortSignal): Promise<Encoded> {
  signal.throwIfAborted();
  const { text, values, name } = task.rows;
  const thread = new Worker(new URL("./encode-thread.ts", import.meta.url), {
    workerData: { ...task, rows: { text, values: [...values], name } } satisfies EncodeTask,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 },
  });
  const ended = Promise.withResolvers<ThreadAnswer>();
  const stop = () => ended.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  thread.once("message", ended.resolve);
  thread.once("error", ended.reject);
  thread.once("exit", (code) => ended.reject(new Error(`the encoding thread ended early with code ${code}`)));
  try {
    const answer = await ended.promise;
    if ("failure" in answer) throw new EncodingFailed(answer.failure);
    return answer.encoded;
  } finally {
    signal.removeEventListener("abort", stop);
    await thread.terminate();
  }
}
