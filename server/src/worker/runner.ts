import type { Log } from "../platform/log.ts";
import { type RequestTrace, traceFields } from "../platform/traceparent.ts";
import { noTracing, type Span, type Tracing } from "../platform/tracing.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";

type Work = RequestTrace & {
  uuid: string;
  /** A quarantined job runs without another quarantined one beside it, so that the next lost worker is its own doing. */
  isQuarantined: boolean;
  /** What it shares places with others in: each end makes room there, and whoever stops work names the lane. */
  lane?: string;
};

/** Rows of a domain as work: claimed under a lease, run, renewed while they run, handed back. */
export type WorkQueue<Job extends Work = Work> = {
  readonly name: string;
  /** Says that there may be work. */
  readonly wakeChannel: string;
  /** Names a job, or the lane of jobs, that is not to be worked on any longer. */
  readonly stopChannel: string;
  readonly renewMs: number;
  /** How long work may go on to its own end when the process stops. */
  readonly graceMs: number;
  /** How a run shows in a trace. */
  readonly span: { name: string; kind: "consumer" | "producer" };
  /** How many may run at once now; asked before each claim. */
  capacity(): Promise<number>;
  /** Claims at most one quarantined job, and none when `withQuarantined` is false. */
  claim(limit: number, withQuarantined: boolean): Promise<Job[]>;
  /** Says when only the end remains to be written, and what failed: the next job may then be worked on. */
  run(job: Job, signal: AbortSignal, onCollected: (failure?: string) => void): Promise<void>;
  /** Resolves to the ids of the jobs whose lease still holds. */
  renew(jobs: readonly Job[]): Promise<Set<string>>;
  handBack(jobs: readonly Job[]): Promise<void>;
};

export type Runner = { stop(): Promise<void> };

type RunnerDeps<Job extends Work> = {
  queue: WorkQueue<Job>;
  notifications: Notifications;
  log: Log;
  tracing?: Tracing | undefined;
  pollMs?: number;
};

type Running<Job> = { job: Job; abort: AbortController; ended: Promise<void> };

/** So many times the capacity may be held, those included whose end is being written. */
const heldFactor = 3;
/** How long work that was stopped may take to end. */
const stopMs = 5_000;

/**
 * Keeps a queue's work going in this process. It claims when it is woken, when work has ended and
 * there may be more, and once a second in case a message was lost.
 */
export function startRunner<Job extends Work>(deps: RunnerDeps<Job>): Runner {
  const { queue, notifications, log, tracing = noTracing, pollMs = 1_000 } = deps;
  const running = new Set<Running<Job>>();
  let isStopping = false;
  let isClaiming = false;
  let lastClaim = Promise.resolve();
  let capacity = 0;
  let working = 0;
  let hasQuarantined = false;
  /** Whether somebody said, or the last claim showed, that there may be more than we could take. */
  let mayHaveMore = false;

  notifications.on(queue.wakeChannel, fill);
  notifications.on(queue.stopChannel, (named) => {
    if (named === undefined) void renew();
    for (const { job, abort } of running) if ((job.lane ?? job.uuid) === named) abort.abort();
  });
  const poll = setInterval(fill, pollMs);
  const heartbeat = setInterval(() => void renew(), queue.renewMs);
  fill();

  function fill(): void {
    mayHaveMore = true;
    if (!isClaiming) lastClaim = claim();
  }

  /** Claims as much as there is room for. */
  async function claim(): Promise<void> {
    isClaiming = true;
    try {
      while (mayHaveMore) {
        capacity = await queue.capacity();
        const limit = room();
        if (limit <= 0) break;
        mayHaveMore = false;
        const jobs = await queue.claim(limit, !hasQuarantined);
        for (const job of jobs) begin(job);
        mayHaveMore ||= jobs.length === limit;
      }
    } catch (error) {
      log.warn({ queue: queue.name, error: (error as Error).message }, "worker.claim_failed");
    } finally {
      isClaiming = false;
    }
  }

  function room(): number {
    return isStopping ? 0 : Math.min(capacity - working, capacity * heldFactor - running.size);
  }

  function begin(job: Job) {
    const abort = new AbortController();
    let isWorking = true;
    working += 1;
    if (job.isQuarantined) hasQuarantined = true;
    const leave = () => {
      if (isWorking) working -= 1;
      isWorking = false;
      // Without lanes half of the room at once, so that claims stay batches when there is much to do.
      if (job.lane !== undefined || (mayHaveMore && working <= capacity / 2)) fill();
    };
    const entry = { job, abort, ended: Promise.resolve() };
    running.add(entry);
    entry.ended = runToEnd(entry, leave);
    if (isStopping) abort.abort();
  }

  /** What the job sets off is traced below this run of it. */
  function startSpan(job: Job): Span | undefined {
    const span = tracing.start(queue.span.name, queue.span.kind, job.traceparent, job.requestId);
    if (span) job.traceparent = span.traceparent;
    return span;
  }

  async function runToEnd(entry: Running<Job>, leave: () => void): Promise<void> {
    const { job, abort } = entry;
    const span = startSpan(job);
    let failure: string | undefined;
    const onCollected = (failed?: string) => {
      failure = failed;
      leave();
    };
    try {
      await queue.run(job, abort.signal, onCollected);
      span?.end(failure);
    } catch (error) {
      log.error({ ...traceFields(job), queue: queue.name, id: job.uuid, err: error }, "worker.run_failed");
      span?.end(error);
    }
    if (!isStopping) running.delete(entry);
    if (job.isQuarantined) {
      hasQuarantined = false;
      mayHaveMore = true;
    }
    leave();
  }

  /** Renews the leases of what runs here, and stops what was lost meanwhile. */
  async function renew(): Promise<void> {
    const held = [...running];
    if (held.length === 0) return;
    try {
      const kept = await queue.renew(held.map(({ job }) => job));
      for (const { job, abort } of held) {
        if (!kept.has(job.uuid)) abort.abort();
      }
    } catch (error) {
      log.warn({ queue: queue.name, jobs: held.length, error: (error as Error).message }, "worker.renewal_failed");
    }
  }

  /** Stops claiming, lets work end for as long as its queue says, stops the rest, and hands back what has not ended. */
  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(poll);
    // A claim under way would take jobs that nobody hands back, even those that were handed back before its end.
    const allEnded = lastClaim.then(() => Promise.all(Array.from(running, ({ ended }) => ended)));
    await atMost(queue.graceMs, allEnded);
    clearInterval(heartbeat);
    for (const { abort } of running) abort.abort();
    await atMost(stopMs, allEnded);
    const jobs = Array.from(running, ({ job }) => job);
    if (jobs.length === 0) return;
    await queue
      .handBack(jobs)
      .catch((error: unknown) =>
        log.warn({ queue: queue.name, jobs: jobs.length, error: (error as Error).message }, "worker.hand_back_failed"),
      );
  }

  return { stop };
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const passed = Promise.withResolvers<void>();
  const timer = setTimeout(passed.resolve, ms);
  await Promise.race([work, passed.promise]);
  clearTimeout(timer);
}
