import { parentPort, workerData } from "node:worker_threads";
import { copyLines } from "../../../platform/postgres/copy.ts";
import { isOutage } from "../../../platform/postgres/database.ts";
import { encodeFile } from "./encode.ts";
import { FileFailed } from "./file-sink.ts";
import type { EncodeTask, ThreadAnswer } from "./encoder.ts";

// The body of a thread: reads from the database and writes the file, so that the process that also
// answers requests is not held up by either.
const { connection, rows, ...file } = workerData as EncodeTask; // encoder.ts started us with one

parentPort?.postMessage(await answer(), []);

async function answer(): Promise<ThreadAnswer> {
  try {
    return { encoded: await encodeFile(copyLines(connection, rows), file) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof FileFailed) return { failure: { part: "file", message, code: error.code } };
    return { failure: { part: isOutage(error) ? "database" : "encoding", message, code: undefined } };
  }
}
