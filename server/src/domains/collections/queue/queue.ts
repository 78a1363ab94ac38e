import { createJobMeter } from "../../../platform/job-meter.ts";
import { type Meters, noMeters } from "../../../platform/meters.ts";
import type { Log } from "../../../platform/log.ts";
import { type Database, isOutage, isSchemaChange } from "../../../platform/postgres/database.ts";
import { traceFields } from "../../../platform/traceparent.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { isOwn, laneOf } from "../../../sources/lanes.ts";
import type { SourceSelection } from "../../../sources/selection.ts";
import { type Source, SourceFailure } from "../../../sources/source.ts";
import { AllowanceExhausted, type Billing } from "../../billing/index.ts";
import type { Businesses } from "../../businesses/index.ts";
import type { WebsiteReader } from "../../enrichment/index.ts";
import type { Webhooks } from "../../webhooks/index.ts";
import {
  attemptsMax,
  backoffSeconds,
  type CellTask,
  type ClaimedCell,
  type Collection,
  isTerminal,
  leaseSeconds as standardLeaseSeconds,
  postponementMaxMs,
} from "../collection.ts";
import { cellsStoppedChannel, collectionsQueuedChannel } from "../store.ts";
import { createPageReader } from "./page-reader.ts";
import { createPageWriter, LeaseLost } from "./page-writer.ts";
import { cellLeases, claimDueCell, findTask, moveCollection, postponeCollection } from "./store.ts";

type CollectionQueueDeps = {
  db: Database;
  /** Which collections: those that our own data answers, or those of live services. */
  isLocal: boolean;
  sources: SourceSelection;
  businesses: Pick<Businesses, "asRequestedByOwners" | "identify">;
  billing: Pick<Billing, "charge" | "requireUnits">;
  /** Absent where websites are not read. */
  enrichment?: WebsiteReader | undefined;
  webhooks: Pick<Webhooks, "emit">;
  log: Log;
  leaseSeconds?: number;
  meters?: Meters;
};

/** Collections take at most a quarter of what a source gives to jobs, so that ordinary jobs do not wait for them. */
const shareOfSource = 4;
const cellsAtOnceMax = 8;
const jobsOtherwise = 16;
const slowDownSeconds = 10;
/** Until a process looks again whether the operator has configured a source. */
const sourceGoneSeconds = 5;

/** The cells of all live collections, as work to be claimed, run, renewed and handed back. */
export function createCollectionQueue(deps: CollectionQueueDeps) {
  const { db, isLocal, sources, billing, log } = deps;
  const countEnd = createJobMeter(deps.meters ?? noMeters);
  const leaseSeconds = deps.leaseSeconds ?? standardLeaseSeconds;
  const reader = createPageReader(deps);
  const writer = createPageWriter(deps);

  /** 0 without a source: the cells then wait for a process that has one. */
  async function capacity(): Promise<number> {
    const lane = await laneOf(sources, isLocal);
    if (!lane) return 0;
    return Math.min(cellsAtOnceMax, Math.max(1, Math.floor((lane.source.jobsMax ?? jobsOtherwise) / shareOfSource)));
  }

  /** One by one, so that each choice of an organization counts the one before. */
  async function claim(limit: number, withQuarantined: boolean): Promise<ClaimedCell[]> {
    const cells: ClaimedCell[] = [];
    const kinds = (await laneOf(sources, isLocal))?.isOnly ? [true, false] : [isLocal];
    while (cells.length < limit) {
      const mayQuarantine = withQuarantined && !cells.some(({ isQuarantined }) => isQuarantined);
      const cell = await claimDueCell(db, { kinds, leaseSeconds, withQuarantined: mayQuarantine });
      if (!cell) break;
      if (cell.mayRun) cells.push(cell);
      else await giveUp(cell, "worker_lost");
    }
    return cells;
  }

  async function run(cell: ClaimedCell, signal: AbortSignal): Promise<void> {
    let source: Source | undefined;
    try {
      if ((await sources.ready()).length === 0) return await postpone(cell, sourceGoneSeconds);
      await writer.start(cell);
      const task = await findTask(db, cell);
      if (!task) return;
      source = await reader.pickSource(cell, task);
      if (!source) return await postpone(cell, sourceGoneSeconds);
      // The catalog has or lacks its area since; another queue knows how many of these may run at once.
      if (isOwn(source) !== isLocal && (await laneOf(sources, !isLocal))) return await move(cell);
      await readPages(source, task, cell, signal);
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) return;
      await recover(source?.name ?? "none", cell, error).catch((cause: unknown) => {
        // The lease expires, and the worker that claims the cell then tries again.
        if (!(cause instanceof LeaseLost))
          log.warn({ ...traceFields(cell), cell_id: cell.uuid, err: cause }, "collection.recovery_failed");
      });
    }
  }

  async function postpone(cell: ClaimedCell, delaySeconds: number): Promise<void> {
    await cellLeases.postpone(db, cell, { delaySeconds, costsAttempt: false });
  }

  async function move(cell: ClaimedCell): Promise<void> {
    await moveCollection(db, cell, !isLocal);
    await postpone(cell, 0);
    await cellLeases.wake(db);
  }

  /** Reads the pages that are not stored yet and stores each as it comes. */
  async function readPages(source: Source, task: CellTask, cell: ClaimedCell, signal: AbortSignal): Promise<void> {
    const seen = new Set<string>();
    for (let page = cell.pages + 1; ; page += 1) {
      await billing.requireUnits(cell.organizationId);
      const collected = await reader.readPage(source, task, cell, { page, seen }, signal);
      signal.throwIfAborted();
      const collection = await writer.write(cell, collected);
      Object.assign(cell, { pages: page, mark: collected.mark, attempt: 1, losses: 0 });
      reportEnd(collection);
      // After the commit, as with jobs; a lost message costs a poll.
      if (collected.children.length > 0) await cellLeases.wake(db).catch(() => undefined);
      if (collected.outcome !== "next" || isTerminal(collection.status)) return;
    }
  }

  /** Pauses the collection, postpones the cell, with or without using up an attempt, or gives it up. */
  async function recover(sourceName: string, cell: ClaimedCell, error: unknown): Promise<void> {
    // The page was not stored: it is read again when the owner resumes the collection.
    if (error instanceof ServiceError && error.code === AllowanceExhausted.code) return writer.pause(cell);
    const failure = error instanceof SourceFailure ? error : undefined;
    const errorCode = failure?.code ?? "internal_error";
    const fields = {
      ...traceFields(cell),
      cell_id: cell.uuid,
      source: sourceName,
      attempt: cell.attempt,
      error_code: errorCode,
    };
    log.warn({ ...fields, action: failure?.action, err: error }, "collection.page_failed");
    const delay = delayAfter(cell, error);
    if (!delay) return giveUp(cell, errorCode);
    await cellLeases.postpone(db, cell, delay);
    if (failure?.action === "slow_down") await postponeCollection(db, cell, delay.delaySeconds);
  }

  async function giveUp(cell: ClaimedCell, errorCode: string): Promise<void> {
    await writer.start(cell);
    reportEnd(await writer.fail(cell, errorCode));
  }

  function reportEnd(collection: Collection) {
    if (!isTerminal(collection.status)) return;
    const { environment, status: outcome, errorCode } = collection;
    countEnd({ kind: "collection", environment, outcome, errorCode });
    log.info(
      {
        ...traceFields(collection),
        collection_id: collection.id,
        organization_id: collection.organizationId,
        outcome: collection.status,
        reason: collection.statusReason ?? undefined,
        cells: collection.cellsTotal,
        pages: collection.pages,
        units: collection.unitsCharged,
        businesses: collection.resultCount,
        duration_ms: collection.finishedAt && collection.finishedAt.getTime() - collection.createdAt.getTime(),
      },
      "collection.finished",
    );
  }

  return {
    name: isLocal ? "collections/catalog" : "collections",
    wakeChannel: collectionsQueuedChannel,
    stopChannel: cellsStoppedChannel,
    renewMs: (leaseSeconds * 1_000) / 4,
    graceMs: 0,
    span: { name: "collections", kind: "consumer" as const },
    capacity,
    claim,
    run,
    renew: (cells: readonly ClaimedCell[]) => cellLeases.renew(db, cells, leaseSeconds),
    handBack: (cells: readonly ClaimedCell[]) => cellLeases.handBack(db, cells),
  };
}

/** The pause before the next attempt; undefined when there is none. */
function delayAfter(cell: ClaimedCell, error: unknown) {
  const failure = error instanceof SourceFailure ? error : undefined;
  const retryAfterSeconds = failure?.retryAfterSeconds ?? 0;
  if (failure?.action === "give_up") return undefined;
  if (failure?.action === "slow_down" || isOutage(error) || isSchemaChange(error)) {
    if (cell.claimedAt.getTime() - cell.firstClaimedAt.getTime() > postponementMaxMs) return undefined;
    return { delaySeconds: retryAfterSeconds > 0 ? retryAfterSeconds : slowDownSeconds, costsAttempt: false };
  }
  const failures = cell.attempt - cell.losses;
  if (failures >= attemptsMax) return undefined;
  return { delaySeconds: Math.max(backoffSeconds(failures), retryAfterSeconds), costsAttempt: true };
}
