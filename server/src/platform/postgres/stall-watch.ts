import type { Log } from "../log.ts";

/** The database took a statement or a connection attempt and answers nothing. */
export class DatabaseStalled extends Error {
  constructor() {
    super("timeout exceeded: the database hangs");
    this.name = "DatabaseStalled";
  }
}

export type StallLimits = {
  /** A statement that takes longer makes the watch probe the server. */
  slowMs: number;
  /** How long the probe may take. With `slowMs` and `lookMs` it stays below five seconds. */
  probeMs: number;
  /** How often the watch looks while statements run, and probes while the database hangs. */
  lookMs: number;
};

export const stallLimits: StallLimits = { slowMs: 1_250, probeMs: 2_750, lookMs: 250 };

type StallWatchDeps = {
  /** Asks the server something on a connection of its own; resolves when it answered, be it with an error. */
  probe(): Promise<void>;
  log: Log;
  limits?: StallLimits;
};

const turnMs = 50;

/** Somebody who waits for the database, until the watch gives up in its place. */
type Waiter = { readonly isAbandoned: boolean };
type Waiting = { since: number; isAbandoned: boolean; reject(error: Error): void };

type Done<Result> = (error: Error | null | undefined, result?: Result) => void;

/**
 * Tells a database that hangs from a statement that is slow. While a statement takes long, a probe on
 * a new connection decides: if that is not answered either, everything that waits is rejected, and
 * what comes is refused at once until a probe is answered again.
 */
export function createStallWatch({ probe, log, limits = stallLimits }: StallWatchDeps) {
  const { slowMs, probeMs, lookMs } = limits;
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let stalledSince: number | undefined;
  let isStopped = false;

  /**
   * Runs work that waits for the database, which calls `done` at its end, whether or not somebody still waits for it.
   * With a callback, because every statement comes through here: promises took 5 kB more of memory for a creation.
   */
  function run<Result>(work: (done: Done<Result>, waiter: Waiter) => void): Promise<Result> {
    if (stalledSince !== undefined) return Promise.reject(new DatabaseStalled());
    return new Promise<Result>((resolve, reject) => {
      const waiter = { since: performance.now(), isAbandoned: false, reject };
      waiting.add(waiter);
      scheduleLook();
      work((error, result) => {
        waiting.delete(waiter);
        if (error) reject(error);
        else resolve(result as Result);
      }, waiter);
    });
  }

  function scheduleLook() {
    if (timer || isStopped) return;
    timer = setTimeout(() => void look(), lookMs);
    timer.unref();
  }

  async function look(): Promise<void> {
    const [oldest] = waiting;
    const isSlow = oldest !== undefined && performance.now() - oldest.since >= slowMs;
    if (isSlow || stalledSince !== undefined) {
      const startedAt = performance.now();
      const answers = await answersInTime();
      if (answers) recover();
      else abandon(startedAt);
    }
    timer = undefined;
    if (waiting.size > 0 || stalledSince !== undefined) scheduleLook();
  }

  /**
   * The deadline is counted in turns of the event loop: a process that gets no processor time must not take
   * that for the database's silence.
   */
  async function answersInTime(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    let turnsLeft = Math.ceil(probeMs / turnMs);
    let deadline = setTimeout(takeTurn, turnMs).unref();
    function takeTurn() {
      turnsLeft -= 1;
      if (turnsLeft > 0) deadline = setTimeout(takeTurn, turnMs).unref();
      else setImmediate(late.resolve, false); // after the answers that have arrived
    }
    const answered = probe().then(
      () => true,
      () => false,
    );
    const answers = await Promise.race([answered, late.promise]);
    clearTimeout(deadline);
    return answers;
  }

  function abandon(probedAt: number) {
    if (stalledSince === undefined) log.error({ statements: waiting.size }, "postgres.stalled");
    stalledSince ??= probedAt;
    for (const entry of waiting) {
      entry.isAbandoned = true;
      entry.reject(new DatabaseStalled());
    }
    waiting.clear();
  }

  function recover() {
    if (stalledSince === undefined) return;
    log.warn({ seconds: Math.round(performance.now() - stalledSince) / 1_000 }, "postgres.answers_again");
    stalledSince = undefined;
  }

  return {
    run,
    isStalled: () => stalledSince !== undefined,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

export type StallWatch = ReturnType<typeof createStallWatch>;
