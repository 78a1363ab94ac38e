import { rm } from "node:fs/promises";
import { join } from "node:path";
import { schemaVersion } from "../../platform/contract.ts";
import type { Clock } from "../../platform/clock.ts";
import { createJobMeter } from "../../platform/job-meter.ts";
import { type Meters, noMeters } from "../../platform/meters.ts";
import type { Log } from "../../platform/log.ts";
import { type Connection, type Database, isOutage } from "../../platform/postgres/database.ts";
import { traceFields } from "../../platform/traceparent.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { exportEvent } from "./events.ts";
import {
  backoffSeconds,
  type ClaimedExport,
  type ErrorCode,
  type Export,
  fileDays,
  isFinished,
  leaseSeconds as standardLeaseSeconds,
  mediaTypes,
} from "./export.ts";
import { claimDueExport, exportLeases, finishExport } from "./queue-store.ts";
import { type RowSources, rowsOf } from "./rows.ts";
import type { FileStore } from "./storage/file-store.ts";
import { fileErrorCode, StorageFailed } from "./storage/storage.ts";
import { exportsQueuedChannel } from "./store.ts";
import { EncodingFailed, encodeInThread } from "./writers/encoder.ts";

export type ExportQueueDeps = {
  db: Database;
  /** How the thread that reads the rows reaches the database. */
  connection: Connection;
  rows: RowSources;
  files: FileStore;
  webhooks: Pick<Webhooks, "emit">;
  clock: Clock;
  log: Log;
  leaseSeconds?: number;
  meters?: Meters;
};

/** Files made at once in one process; each may take up to 250 MB. */
const atOnceMax = 2;
const deadlineMs = 3_600_000;
/** How long an export waits for a database that is away, from its first claim. */
const patienceMs = 3_600_000;
const outageSeconds = 10;
const dayMs = 86_400_000;

class LeaseLost extends Error {}

/** The exports of all organizations, as work to be claimed, run, renewed and handed back. */
export function createExportQueue(deps: ExportQueueDeps) {
  const { db, webhooks, clock, log } = deps;
  const countEnd = createJobMeter(deps.meters ?? noMeters);
  const leaseSeconds = deps.leaseSeconds ?? standardLeaseSeconds;

  /** Takes exports that are due. Those that lost their worker once too often end here. */
  async function claim(limit: number, withQuarantined: boolean): Promise<ClaimedExport[]> {
    const claimed = await db.transaction(async (tx) => {
      const jobs: ClaimedExport[] = [];
      // One by one, so that each choice of an organization counts the one before.
      while (jobs.length < limit) {
        const mayQuarantine = withQuarantined && !jobs.some(({ isQuarantined }) => isQuarantined);
        const job = await claimDueExport(tx, { leaseSeconds, withQuarantined: mayQuarantine });
        if (!job) break;
        jobs.push(job);
      }
      await webhooks.emit(tx, ...jobs.filter(({ status }) => isFinished(status)).map(exportEvent));
      return jobs;
    });
    for (const job of claimed.filter(({ status }) => isFinished(status))) logEnd(job, job);
    return claimed.filter(({ status }) => !isFinished(status));
  }

  /** Makes the file, stores it, and ends the export; a failure is retried later or ends it. */
  async function run(job: ClaimedExport, signal: AbortSignal): Promise<void> {
    const path = join(deps.files.workFolder, `${job.uuid}.${job.leaseToken}`);
    try {
      logEnd(job, await make(job, path, AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])));
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) return;
      await recover(job, error);
    } finally {
      await rm(path, { force: true }).catch(() => undefined); // else the retention loop removes it
    }
  }

  async function make(job: ClaimedExport, path: string, signal: AbortSignal): Promise<Export> {
    const { connection, rows, files } = deps;
    const { source, ids } = rowsOf(rows, job.subject);
    if (!source) throw new Error("nothing provides the rows of this export");
    const context = { exportId: job.id, createdAt: job.createdAt.toISOString(), schemaVersion, columns: job.columns };
    const encoded = await encodeInThread(
      { connection, rows: source.select(job, ids), format: job.format, path, context },
      signal,
    );
    // Named after the lease too: a worker that lost it can neither overwrite nor remove another's file.
    const key = `${job.uuid}.${job.leaseToken}.${job.format}`;
    await files.storage.put(key, path, mediaTypes[job.format], signal);
    const expiresAt = new Date(clock.now().getTime() + fileDays * dayMs);
    const ended = await finish(job, { file: { ...encoded, key, storage: files.storage.name }, expiresAt });
    if (ended) return ended;
    await files.storage.remove([key]);
    throw new LeaseLost();
  }

  function finish(job: ClaimedExport, ending: Parameters<typeof finishExport>[2]): Promise<Export | undefined> {
    return db.transaction(async (tx) => {
      const ended = await finishExport(tx, job, ending);
      if (ended) await webhooks.emit(tx, exportEvent(ended));
      return ended;
    });
  }

  async function recover(job: ClaimedExport, error: unknown): Promise<void> {
    const errorCode = errorCodeOf(error);
    const fields = { ...traceFields(job), export_id: job.id, attempt: job.attempt, error_code: errorCode };
    log.warn({ ...fields, err: error }, "export.attempt_failed");
    const pause = pauseAfter(job, error, clock.now());
    try {
      if (pause) await exportLeases.postpone(db, job, pause);
      else {
        const ended = await finish(job, { errorCode });
        if (ended) logEnd(job, ended);
      }
    } catch (cause) {
      // The lease expires, and the worker that claims the export then tries again.
      log.warn({ ...fields, err: cause }, "export.recovery_failed");
    }
  }

  function logEnd(job: ClaimedExport, ended: Export) {
    const { environment, status: outcome, errorCode } = ended;
    countEnd({ kind: "export", environment, outcome, errorCode: errorCode ?? null });
    log.info(
      {
        ...traceFields(ended),
        export_id: ended.id,
        organization_id: ended.organizationId,
        environment: ended.environment,
        format: ended.format,
        outcome: ended.status,
        error_code: ended.errorCode ?? undefined,
        row_count: ended.file?.rowCount,
        size_bytes: ended.file?.sizeBytes,
        attempt: job.attempt,
        duration_ms: clock.now().getTime() - job.startedAt.getTime(),
      },
      "export.finished",
    );
  }

  return {
    name: "exports",
    wakeChannel: exportsQueuedChannel,
    // Nobody stops a single export: only a lost lease does.
    stopChannel: "exports_stopped",
    renewMs: (leaseSeconds * 1_000) / 4,
    graceMs: 0,
    span: { name: "exports", kind: "consumer" as const },
    capacity: async () => atOnceMax,
    claim,
    run,
    renew: (jobs: readonly ClaimedExport[]) => exportLeases.renew(db, jobs, leaseSeconds),
    handBack: (jobs: readonly ClaimedExport[]) => exportLeases.handBack(db, jobs),
  };
}

export type ExportQueue = ReturnType<typeof createExportQueue>;

function errorCodeOf(error: unknown): ErrorCode {
  if (error instanceof StorageFailed) return error.code;
  if (error instanceof EncodingFailed && error.part === "file") return fileErrorCode(error.code);
  return "internal_error";
}

/** How long to leave an export alone before the next attempt; undefined when there is none. */
function pauseAfter(job: ClaimedExport, error: unknown, now: Date) {
  const isDatabaseAway = error instanceof EncodingFailed ? error.part === "database" : isOutage(error);
  if (isDatabaseAway && !(error instanceof StorageFailed)) {
    if (now.getTime() - job.startedAt.getTime() > patienceMs) return undefined;
    return { delaySeconds: outageSeconds, costsAttempt: false };
  }
  const delaySeconds = backoffSeconds(job.attempt - job.losses);
  return delaySeconds === undefined ? undefined : { delaySeconds, costsAttempt: true };
}
