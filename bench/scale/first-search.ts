// The first search of a process, in a thread of its own: nothing of the catalog is loaded there yet.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { silentLog } from "../../server/src/platform/log.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { createCatalog } from "../../server/src/sources/catalog/catalog.ts";

type Start = { connection: Connection; isWarmed: boolean };
export type FirstSearch = { warmMs: number; searchMs: number };

/** Milliseconds of the first search of a new process, which loads everything itself or finds it loaded, as readiness says. */
export function timeFirstSearch(connection: Connection, { isWarmed }: { isWarmed: boolean }): Promise<FirstSearch> {
  const start: Start = { connection, isWarmed };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: start });
    worker.once("message", resolve).once("error", reject);
  });
}

if (!isMainThread && parentPort) {
  const { connection, isWarmed } = workerData as Start;
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  const began = performance.now();
  const catalog = createCatalog({ db });
  if (isWarmed) await catalog.warm(new AbortController().signal);
  const warmMs = performance.now() - began;
  const query = { q: "pharmacy", ll: "@47.1,9.5,13z", page: 1, hl: "en", extra: false };
  await catalog.search(query, new AbortController().signal);
  const found: FirstSearch = { warmMs, searchMs: performance.now() - began - warmMs };
  parentPort.postMessage(found, []);
  await db.end();
}
