import { readCollectionBacklog } from "../domains/collections/index.ts";
import { readExportBacklog } from "../domains/exports/index.ts";
import { readScrapeBacklog } from "../domains/scrapes/index.ts";
import { readDeliveryBacklog } from "../domains/webhooks/index.ts";
import type { Backlog } from "../platform/backlog.ts";
import type { Queryable } from "../platform/postgres/database.ts";

/** Reads the queues one after the other, so that monitoring does not crowd out their work. */
export async function readBacklogs(db: Queryable): Promise<Backlog[]> {
  const backlogs: Backlog[] = [];
  for (const read of [readScrapeBacklog, readCollectionBacklog, readExportBacklog, readDeliveryBacklog]) {
    backlogs.push(...(await read(db)));
  }
  return backlogs;
}
