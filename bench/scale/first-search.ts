// The first search of a process, in a thread of its own: nothing of the catalog is loaded there yet.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { silentLog } from "../../server/src/platform/log.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { openCatalog } from "../places/open-catalog.ts";

type Place = { connection: Connection; folder: string };
type Start = Place & { isWarmed: boolean };
export type FirstSearch = { warmMs: number; searchMs: number };

/** Milliseconds of the first search of a new process, which loads everything itself or finds it loaded, as readiness says. */
export function timeFirstSearch(place: Place, { isWarmed }: { isWarmed: boolean }): Promise<FirstSearch> {
  const start: Start = { ...place, isWarmed };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: start });
    worker.once("message", resolve).once("error", reject);
  });
}

if (!isMainThread && parentPort) {
  const { connection, folder, isWarmed } = workerData as Start;
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  const catalog = await openCatalog({ connection, db, folder });
  const began = performance.now();
  if (isWarmed) await catalog.warm(new AbortController().signal);
  const warmMs = performance.now() - began;
  const query = { q: "pharmacy", ll: "@47.1,9.5,13z", page: 1, hl: "en", extra: false };
  await catalog.search(query, new AbortController().signal);
  const found: FirstSearch = { warmMs, searchMs: performance.now() - began - warmMs };
  parentPort.postMessage(found, []);
  await catalog.close();
  await db.end();
}
