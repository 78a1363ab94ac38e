import { uuidFromId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Principal } from "../api-keys/index.ts";
import type { ExportRemoval } from "../exports/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { ScrapeNotFound } from "./errors.ts";
import { scrapeEvent } from "./events.ts";
import type { DeletedScrape } from "./schema.ts";
import type { Signals } from "./signals.ts";
import { cancelActiveScrape, deleteScrape } from "./store.ts";

export type RemoveDeps = { db: Database; webhooks: Webhooks; signals: Signals; exportRemoval: ExportRemoval };

/** The verb that deletes a job with its results and the exports that hold them. What it was charged stays in the ledger. */
export function makeRemove({ db, webhooks, signals, exportRemoval }: RemoveDeps) {
  return async function remove(principal: Principal, jobId: string): Promise<DeletedScrape> {
    const uuid = uuidFromId("job", jobId);
    if (uuid === undefined) throw ScrapeNotFound({ jobId });

    const { canceled, removed } = await db.transaction(async (tx) => {
      const stopped = await cancelActiveScrape(tx, principal, uuid);
      if (!(await deleteScrape(tx, principal, uuid))) throw ScrapeNotFound({ jobId });
      await webhooks.endDeliveries(tx, principal.organizationId, [uuid]);
      if (stopped) await webhooks.emit(tx, scrapeEvent(stopped));
      return { canceled: stopped, removed: await exportRemoval.removeOf(tx, principal, { jobId: uuid }) };
    });
    if (canceled) signals.finished(uuid);
    await exportRemoval.removeFiles(removed);
    return { id: jobId, deleted: true };
  };
}
