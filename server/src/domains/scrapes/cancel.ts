import { recordCompleted } from "../../platform/idempotency.ts";
import { uuidFromId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Principal } from "../api-keys/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { ScrapeNotFound } from "./errors.ts";
import { scrapeEvent } from "./events.ts";
import type { Signals } from "./signals.ts";
import { type Scrape, toResource } from "./schema.ts";
import { cancelActiveScrape, findScrape } from "./store.ts";

type CancelDeps = { db: Database; webhooks: Webhooks; signals: Signals };

export type CancelOutcome = { job: Scrape; replayed: boolean };

/** The verb that stops a job for good. Its unit stays charged; a job that has ended is left as it is. */
export function makeCancel({ db, webhooks, signals }: CancelDeps) {
  return async function cancel(principal: Principal, jobId: string, idempotencyKey: string): Promise<CancelOutcome> {
    const { organizationId, environment } = principal;
    const uuid = uuidFromId("job", jobId);
    if (uuid === undefined) throw ScrapeNotFound({ jobId });
    const call = {
      owner: `${organizationId}/${environment}`,
      operation: `cancelScrape/${jobId}`,
      key: idempotencyKey,
      request: null,
    };

    const { scrape, hasChanged, replayed } = await db.transaction(async (tx) => {
      const isFirst = await recordCompleted(tx, call, { outcome: "canceled", data: uuid });
      const canceled = await cancelActiveScrape(tx, principal, uuid);
      const found = canceled ?? (await findScrape(tx, principal, uuid));
      if (!found) throw ScrapeNotFound({ jobId });
      if (canceled) await webhooks.emit(tx, scrapeEvent(canceled));
      return { scrape: found, hasChanged: canceled !== undefined, replayed: !isFirst };
    });
    if (hasChanged) signals.finished(uuid);
    return { job: toResource(scrape), replayed };
  };
}
