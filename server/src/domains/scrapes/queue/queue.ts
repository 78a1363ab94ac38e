import { startDeadline } from "../../../platform/deadline.ts";
import { createJobMeter } from "../../../platform/job-meter.ts";
import { type Meters, noMeters } from "../../../platform/meters.ts";
import type { Log } from "../../../platform/log.ts";
import { type Database, isOutage, isSchemaChange } from "../../../platform/postgres/database.ts";
import { traceFields } from "../../../platform/traceparent.ts";
import type { Place } from "../../../places/place.ts";
import { isOwn, laneOf } from "../../../sources/lanes.ts";
import type { SourceSelection } from "../../../sources/selection.ts";
import { type Source, SourceFailure } from "../../../sources/source.ts";
import type { Environment } from "../../api-keys/index.ts";
import type { Businesses } from "../../businesses/index.ts";
import type { WebsiteReader } from "../../enrichment/index.ts";
import type { Webhooks } from "../../webhooks/index.ts";
import { collect } from "./collect.ts";
import { scrapesCanceledChannel, scrapesQueuedChannel } from "../channels.ts";
import { scrapeEvent } from "../events.ts";
import { reportWhileWaiting } from "./progress.ts";
import { createResultWriter, LeaseLost, type ResultWriterDeps, type Transition } from "./result-writer.ts";
import { claimDue, moveScrape, scrapeLeases } from "./store.ts";
import {
  attemptsMax,
  backoffSeconds,
  type ClaimedScrape,
  type ErrorCode,
  isTerminal,
  leaseSeconds as standardLeaseSeconds,
  postponementMaxMs,
  type Scrape,
} from "../scrape.ts";
import type { Signals } from "../signals.ts";

export type ScrapeQueueDeps = {
  db: Database;
  /** Whose jobs are run: live ones on a live source, test ones on fixtures. */
  environment: Environment;
  /** Which of them: those that our own data answers, or those of live services. */
  isLocal: boolean;
  sources: SourceSelection;
  /** Makes businesses of listings, as part of the transaction that stores them. */
  businesses: Pick<Businesses, "asRequestedByOwners" | "identify">;
  /** What is stored of each business; its serialized record when absent. */
  toRecords?: ResultWriterDeps["toRecords"];
  /** Absent where websites are not read: `extra` then brings only what the source itself has. */
  enrichment?: WebsiteReader | undefined;
  webhooks: Pick<Webhooks, "emit">;
  signals: Signals;
  log: Log;
  /** How many jobs may run at once in this process on a source. */
  atOnceMax(source: Source): number;
  leaseSeconds?: number;
  meters?: Meters;
};

const stillRunning = { status: "running", errorCode: null, queryReading: null } as const;
const deadlineMs = 120_000;
const slowDownSeconds = 10;
/** Until a process looks again whether the operator has configured a source. */
const sourceGoneSeconds = 5;

/** The jobs of one environment, as work to be claimed, run, renewed and handed back. */
export function createScrapeQueue(deps: ScrapeQueueDeps) {
  const { db, environment, isLocal, sources, enrichment, webhooks, signals, log } = deps;
  const write = createResultWriter(deps);
  const countEnd = createJobMeter(deps.meters ?? noMeters);
  const leaseSeconds = deps.leaseSeconds ?? standardLeaseSeconds;

  /** 0 without a source: the jobs then wait for a process that has one. */
  async function capacity(): Promise<number> {
    const lane = await laneOf(sources, isLocal);
    return lane ? deps.atOnceMax(lane.source) : 0;
  }

  /** Claims jobs that are due, first those of this queue. */
  async function claim(limit: number, withQuarantined: boolean): Promise<ClaimedScrape[]> {
    const own = await claimOf(isLocal, limit, withQuarantined);
    const lane = own.length < limit ? await laneOf(sources, isLocal) : undefined;
    if (!lane?.isOnly) return own;
    const mayQuarantine = withQuarantined && !own.some(({ isQuarantined }) => isQuarantined);
    return [...own, ...(await claimOf(!isLocal, limit - own.length, mayQuarantine))];
  }

  /** A job that has lost too many workers fails here. */
  async function claimOf(local: boolean, limit: number, withQuarantined: boolean): Promise<ClaimedScrape[]> {
    const claimed = await db.transaction(async (tx) => {
      const jobs = await claimDue(tx, environment, { isLocal: local, limit, leaseSeconds, withQuarantined });
      // A job that is claimed again has had its started event.
      const reported = jobs.filter((job) => job.isFirst || isTerminal(job.status));
      const sequences = await webhooks.emit(tx, ...reported.map((job) => scrapeEvent(job)));
      for (const [index, job] of reported.entries()) job.lastSequence = sequences[index];
      return jobs;
    });
    for (const job of claimed.filter(({ status }) => isTerminal(status))) reportEnd(job, job, undefined);
    return claimed.filter(({ status }) => !isTerminal(status));
  }

  async function run(job: ClaimedScrape, signal: AbortSignal, onCollected: () => void): Promise<void> {
    const source = await sources.pick("job", job.params);
    if (!source) return postpone(job, sourceGoneSeconds, false);
    // The catalog has or lacks its area since; another queue knows how many of these may run at once.
    if (isOwn(source) !== isLocal && (await laneOf(sources, !isLocal))) return moveScrape(db, job, !isLocal);
    const deadline = startDeadline({
      signal,
      deadlineMs,
      timeout: () => new Error("the deadline of the attempt passed"),
    });
    try {
      const ended = await runOn(source, job, deadline.signal, onCollected);
      reportEnd(job, ended, source);
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) return;
      await recover(source, job, deadline.signal.aborted ? timedOut(error) : error);
    } finally {
      deadline.clear();
    }
  }

  /** Stores each part as it comes, and the last together with the end. */
  async function runOn(
    source: Source,
    job: ClaimedScrape,
    signal: AbortSignal,
    onCollected: () => void,
  ): Promise<Scrape> {
    let shortfall: ErrorCode | null = null;
    let progressDueInMs: number | null = null;
    const store = (places: readonly Place[], to: Transition["to"]) =>
      write({ sourceName: source.name, job, places, to });
    const reportProgress = async () => (await store([], stillRunning)).progressDueInMs;
    const parts = collect({ source, enrichment }, job, signal);
    for (;;) {
      const { value: part } = await reportWhileWaiting(parts.next(), progressDueInMs, reportProgress);
      signal.throwIfAborted();
      if (!part) throw new Error("the collection ended without a last part");
      shortfall ??= part.shortfall;
      const { queryReading } = part;
      if (part.isLast) {
        onCollected();
        const end = { status: shortfall ? "partial" : "succeeded", errorCode: shortfall, queryReading } as const;
        return store(part.places, end);
      }
      ({ progressDueInMs } = await store(part.places, { ...stillRunning, queryReading }));
    }
  }

  /** Postpones the job, with or without using up an attempt, or fails it, as the class of the failure says. */
  async function recover(source: Source, job: ClaimedScrape, error: unknown): Promise<void> {
    const failure = error instanceof SourceFailure ? error : undefined;
    const errorCode = failure?.code ?? "internal_error";
    const fields = {
      ...traceFields(job),
      job_id: job.id,
      source: source.name,
      attempt: job.attempt,
      error_code: errorCode,
    };
    log.warn({ ...fields, action: failure?.action, err: error }, "scrape.attempt_failed");
    const pause = pauseAfter(job, error);
    try {
      if (pause) await postpone(job, pause.delaySeconds, pause.costsAttempt);
      else reportEnd(job, await fail(source, job, errorCode), source);
    } catch (cause) {
      // The lease ends by itself, and the next worker that claims the job tries again.
      if (!(cause instanceof LeaseLost)) log.warn({ ...fields, err: cause }, "scrape.recovery_failed");
    }
  }

  function fail({ name }: Source, job: ClaimedScrape, errorCode: ErrorCode): Promise<Scrape> {
    return write({ sourceName: name, job, places: [], to: { status: "failed", errorCode, queryReading: null } });
  }

  async function postpone(job: ClaimedScrape, delaySeconds: number, costsAttempt: boolean): Promise<void> {
    await scrapeLeases.postpone(db, job, { delaySeconds, costsAttempt });
  }

  function reportEnd(job: ClaimedScrape, ended: Scrape, source: Source | undefined) {
    signals.finished(ended.uuid);
    countEnd({ kind: "scrape", environment, outcome: ended.status, errorCode: ended.errorCode });
    log.info(
      {
        ...traceFields(ended),
        job_id: ended.id,
        organization_id: ended.organizationId,
        environment,
        operation: ended.operation,
        source: source?.name,
        outcome: ended.status,
        error_code: ended.errorCode ?? undefined,
        result_count: ended.resultCount,
        attempt: job.attempt,
        queued_ms: job.startedAt.getTime() - job.createdAt.getTime(),
        duration_ms: ended.finishedAt && ended.finishedAt.getTime() - job.startedAt.getTime(),
      },
      "scrape.finished",
    );
  }

  return {
    name: `scrapes/${environment}${isLocal ? "/catalog" : ""}`,
    wakeChannel: scrapesQueuedChannel,
    stopChannel: scrapesCanceledChannel,
    renewMs: (leaseSeconds * 1_000) / 4,
    graceMs: 0,
    span: { name: `scrapes/${environment}`, kind: "consumer" as const },
    capacity,
    claim,
    run,
    renew: (jobs: readonly ClaimedScrape[]) => scrapeLeases.renew(db, jobs, leaseSeconds),
    handBack: (jobs: readonly ClaimedScrape[]) => scrapeLeases.handBack(db, jobs),
  };
}

/** The pause before the next attempt; undefined when there is none. */
function pauseAfter(job: ClaimedScrape, error: unknown) {
  const failure = error instanceof SourceFailure ? error : undefined;
  const retryAfterSeconds = failure?.retryAfterSeconds ?? 0;
  if (failure?.action === "give_up") return undefined;
  if (failure?.action === "slow_down" || isOutage(error) || isSchemaChange(error)) {
    if (job.claimedAt.getTime() - job.startedAt.getTime() > postponementMaxMs) return undefined;
    return { delaySeconds: retryAfterSeconds > 0 ? retryAfterSeconds : slowDownSeconds, costsAttempt: false };
  }
  // Try again, after a fault of ours too.
  const failures = job.attempt - job.losses;
  if (failures >= attemptsMax) return undefined;
  return { delaySeconds: Math.max(backoffSeconds(failures), retryAfterSeconds), costsAttempt: true };
}

function timedOut(cause: unknown): SourceFailure {
  return new SourceFailure("try_again", "source_timeout", `no page within ${deadlineMs} ms`, { cause });
}
