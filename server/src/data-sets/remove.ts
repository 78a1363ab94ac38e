import { dropStage } from "./3-stage/stage-tables.ts";
import { removeFromNext } from "./4-write/write-records.ts";
import { deleteDataSet, findDataSet } from "./8-publish/data-set-store.ts";
import { fillPlaces } from "./7-index/fill-places.ts";
import { afterSwitch, beginSwitch, commitSwitch } from "./8-publish/switch.ts";
import { completeGeneration } from "./complete-generation.ts";
import { DataSetUnknown } from "./errors.ts";
import type { ImportOptions } from "./import.ts";
import { withLockedSession } from "./locked-session.ts";
import { openNext } from "./next-generation/generation.ts";
import { forgetSample, sample } from "./sample.ts";

/** Takes a data set and all its places away, and what an interrupted import of it left. */
export async function removeDataSet(
  name: string,
  options: Pick<ImportOptions, "connection" | "signal" | "progress" | "waitForSearches">,
): Promise<{ places: number }> {
  const { connection, signal, progress = () => undefined, waitForSearches } = options;
  return withLockedSession(connection, name, signal, async (db) => {
    const hadStage = await dropStage(db, name);
    const id = await findDataSet(db, name);
    if (id === undefined) {
      const wasWanted = name === sample.name && (await forgetSample(db));
      if (!hadStage && !wasWanted) throw DataSetUnknown({ name });
      return { places: 0 };
    }

    const next = await openNext(db, "");
    await fillPlaces(db);
    await removeFromNext(db, next, id);
    progress({ phase: "indexing" });
    await completeGeneration(db, next, null);

    await beginSwitch(db);
    const places = await deleteDataSet(db, id);
    if (name === sample.name) await forgetSample(db);
    await commitSwitch(db, next);

    await afterSwitch(db, waitForSearches);
    return { places };
  });
}
