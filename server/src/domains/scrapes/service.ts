import { createBatcher } from "../../platform/batcher.ts";
import { type Cursors, ListPage, type PageRequest } from "../../platform/pages.ts";
import { firstUuidAt, uuidFromId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Principal } from "../api-keys/index.ts";
import { makeCancel } from "./cancel.ts";
import { type CreateDeps, makeCreate } from "./create.ts";
import { ScrapeNotFound } from "./errors.ts";
import { makeRemove, type RemoveDeps } from "./remove.ts";
import { type ListScrapes, type ResultsPage, type Scrape, toResource } from "./schema.ts";
import { isTerminal } from "./scrape.ts";
import { deleteScrapesBefore, findResults, findShownScrapes, listScrapes, type ScrapeRef } from "./store.ts";

// Reads wait up to 5 ms for the running statement: the larger a batch, the less each read costs.
const readBatches = { batchMax: 100, concurrency: 4, maxDelayMs: 5 };

type ScrapesDeps = CreateDeps & RemoveDeps & { cursors: Cursors };

export function createScrapes(deps: ScrapesDeps) {
  const { db, cursors } = deps;
  const read = createBatcher((refs: readonly ScrapeRef[]) => findShownScrapes(db, refs), readBatches);

  async function get(principal: Principal, jobId: string): Promise<Scrape> {
    const scrape = await read({ tenant: principal, id: jobId, uuid: uuidOf(jobId) });
    if (!scrape) throw ScrapeNotFound({ jobId });
    return toResource(scrape);
  }

  /** Newest first. */
  async function list(principal: Principal, { status, ...page }: ListScrapes): Promise<ListPage<Scrape>> {
    const { organizationId, environment } = principal;
    const name = `scrapes/${organizationId}/${environment}/${status ?? ""}`;
    const before = cursors.positionBefore(name, page);
    const found = await listScrapes(db, principal, { status, before, limit: page.limit + 1 });
    const { items, nextCursor } = cursors.page(name, found, page.limit, ({ uuid }) => uuid);
    return new ListPage(items.map(toResource), nextCursor);
  }

  /** What has been stored so far, in the order it was found. */
  async function results(principal: Principal, jobId: string, { limit, cursor }: PageRequest): Promise<ResultsPage> {
    const name = `results/${jobId}`;
    const uuid = uuidOf(jobId);
    const after = cursor === undefined ? 0 : Number(cursors.read(name, cursor));
    const found = await findResults(db, principal, uuid, { after, limit: limit + 1 });
    if (!found) throw ScrapeNotFound({ jobId });

    const page = found.records.slice(0, limit);
    const isRead = isTerminal(found.status) && found.records.length <= limit;
    return {
      recordTexts: page.map(({ text }) => text),
      job_status: found.status,
      is_complete: found.status === "succeeded",
      next_cursor: isRead ? null : cursors.write(name, String(page.at(-1)?.position ?? after)),
    };
  }

  return { create: makeCreate(deps), get, list, results, cancel: makeCancel(deps), remove: makeRemove(deps) };
}

export type Scrapes = ReturnType<typeof createScrapes>;

const sweepBatch = 500;

/** Deletes a batch of jobs past their retention as of the database's time; resolves to how many. */
export async function sweepScrapes(db: Database, now: Date, retentionDays: number): Promise<number> {
  const keptFrom = new Date(now.getTime() - retentionDays * 86_400_000);
  return deleteScrapesBefore(db, { keptFrom, firstKept: firstUuidAt(keptFrom), limit: sweepBatch });
}

function uuidOf(jobId: string): string {
  const uuid = uuidFromId("job", jobId);
  if (uuid === undefined) throw ScrapeNotFound({ jobId });
  return uuid;
}
