// The first search of a process, in a thread of its own: nothing of the catalog is loaded there yet.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { silentLog } from "../../server/src/platform/log.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { createCatalog } from "../../server/src/sources/catalog/index.ts";

/** Milliseconds from making the catalog to its first answer. */
export function timeFirstSearch(connection: Connection): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: connection });
    worker.once("message", resolve).once("error", reject);
  });
}

if (!isMainThread && parentPort) {
  const db = createDatabase({ connection: workerData as Connection, connectionsMax: 4, log: silentLog });
  const began = performance.now();
  const query = { q: "pharmacy", ll: "@47.1,9.5,13z", page: 1, hl: "en", extra: false };
  await createCatalog({ db }).search(query, new AbortController().signal);
  parentPort.postMessage(performance.now() - began, []);
  await db.end();
}
