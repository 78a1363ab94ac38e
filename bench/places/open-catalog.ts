import { join } from "node:path";
import { systemClock } from "../../server/src/platform/clock.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import type { Connection, Database } from "../../server/src/platform/postgres/database.ts";
import { readGeneration } from "../../server/src/data-sets/data-sets.ts";
import { importItems } from "../../server/src/data-sets/import.ts";
import { waitForIndex } from "../../server/src/place-index/file/index.ts";
import { readInstallation } from "../../server/src/place-index/file/catalog-rows.ts";
import { openIndexFolder } from "../../server/src/place-index/file/folder.ts";
import { startFollower } from "../../server/src/place-index/file/follower.ts";
import { createSearchThreads } from "../../server/src/place-index/file/threads.ts";
import { placeIndexOf } from "../../server/src/place-index/reader.ts";
import type { RecordItem } from "../../server/src/places/record.ts";
import { createCatalog } from "../../server/src/sources/catalog/catalog.ts";

type Opening = {
  connection: Connection;
  db: Database;
  /** The data folder. Processes that share it share the place index in it. */
  folder: string;
};

const { signal } = new AbortController();

/**
 * The catalog as the service opens it: this process follows the catalog, or waits for the one that does, and searches the
 * file in threads. Resolves once the file has all that is imported, and these items, which are imported first.
 */
export async function openCatalog({ connection, db, folder }: Opening, items?: AsyncIterable<RecordItem>) {
  if (items)
    await importItems({ name: "bench", origin: "synthetic" }, items, { connection, clock: systemClock, signal });
  const path = join(folder, "index");
  const index = openIndexFolder(path);
  const follower = startFollower({ path, connection, log: silentLog });
  const threads = createSearchThreads({ path, installation: await readInstallation(db), onDamage: follower.wake });

  /** Resolves once searches find what is imported by now. */
  async function caughtUp(): Promise<void> {
    follower.wake();
    await follower.looked;
    await awaitIndex(db, folder);
  }

  await caughtUp();
  return {
    ...createCatalog({ db, index: placeIndexOf(threads.ask) }),
    caughtUp,
    /** Of the file on the disk. */
    indexBytes: () => index.bytes(index.current() ?? "none"),
    async close() {
      await threads.close();
      await follower.stop();
    },
  };
}

/** Waits until the process that follows has the generation of the catalog, as commands that import do. */
export async function awaitIndex(db: Database, folder: string): Promise<void> {
  const waited = await waitForIndex(join(folder, "index"), await readGeneration(db), { signal });
  if (waited.outcome === "stalled") throw new Error(waited.problem);
}
