import type { Log } from "../log.ts";

/** The database, or the connection to it, took a statement or a connection attempt and answers nothing. */
export class DatabaseStalled extends Error {
  constructor(what = "the database hangs") {
    super(`timeout exceeded: ${what}`);
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
  /** How long nothing may move on a connection whose session is idle at the server although a statement waits. */
  silentMs: number;
};

export const stallLimits: StallLimits = { slowMs: 1_250, probeMs: 2_750, lookMs: 250, silentMs: 2_000 };

type StallWatchDeps = {
  /**
   * Asks the server on a connection of its own; resolves, when it answered, be it with an error, to those of the
   * sessions in which it runs nothing.
   */
  probe(sessions: readonly number[]): Promise<ReadonlySet<number>>;
  /** Statements were sent on the connections of these sessions, and neither they nor their answers arrive. */
  onSilent(sessions: readonly number[]): void;
  log: Log;
  limits?: StallLimits;
};

const turnMs = 50;

/** A connection on which a statement was sent. */
export type Sent = {
  /** Its number at the server. */
  session: number;
  /** Changes while bytes come and go. */
  moved(): number;
};

/** Somebody who waits for the database, until the watch gives up in its place. */
export type Waiter = { readonly isAbandoned: boolean; sent?: Sent };
type Waiting = Waiter & {
  since: number;
  isAbandoned: boolean;
  silence: { since: number; moved: number } | undefined;
  reject(error: Error): void;
};

type Done<Result> = (error: Error | null | undefined, result?: Result) => void;

/**
 * Tells a database that hangs from a statement that is slow. While a statement takes long, a probe on
 * a new connection decides: if that is not answered either, everything that waits is rejected, and
 * what comes is refused at once until a probe is answered again.
 *
 * If it is answered, it tells a slow statement from one on a connection that died without a word, as when a firewall
 * has forgotten it: there the server runs nothing. Such a statement is rejected alone.
 */
export function createStallWatch({ probe, onSilent, log, limits = stallLimits }: StallWatchDeps) {
  const { slowMs, probeMs, lookMs, silentMs } = limits;
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let stalledSince: number | undefined;
  /** When a connection was last found dead: statements from before may have gone the same way. */
  let silentAt = -Infinity;
  let isStopped = false;

  /**
   * Runs work that waits for the database, which calls `done` at its end, whether or not somebody still waits for it.
   * With a callback, because every statement comes through here: promises took 5 kB more of memory for a creation.
   */
  function run<Result>(work: (done: Done<Result>, waiter: Waiter) => void): Promise<Result> {
    if (stalledSince !== undefined) return Promise.reject(new DatabaseStalled());
    return new Promise<Result>((resolve, reject) => {
      const waiter: Waiting = { since: performance.now(), isAbandoned: false, silence: undefined, reject };
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
    const startedAt = performance.now();
    const slow = [...waiting].filter(({ since }) => startedAt - since >= slowMs);
    if (slow.length > 0 || stalledSince !== undefined) {
      const idle = await idleSessions(slow.flatMap(({ sent }) => sent?.session ?? []));
      if (!idle) abandon(startedAt);
      else {
        recover();
        abandonSilent(idle);
      }
    }
    timer = undefined;
    if (waiting.size > 0 || stalledSince !== undefined) scheduleLook();
  }

  /**
   * Undefined when the server does not answer in time. The deadline is counted in turns of the event loop: a process
   * that gets no processor time must not take that for the database's silence.
   */
  async function idleSessions(sessions: readonly number[]): Promise<ReadonlySet<number> | undefined> {
    const late = Promise.withResolvers<undefined>();
    let turnsLeft = Math.ceil(probeMs / turnMs);
    let deadline = setTimeout(takeTurn, turnMs).unref();
    function takeTurn() {
      turnsLeft -= 1;
      if (turnsLeft > 0) deadline = setTimeout(takeTurn, turnMs).unref();
      else setImmediate(late.resolve, undefined); // after the answers that have arrived
    }
    const idle = await Promise.race([probe(sessions).catch(() => undefined), late.promise]);
    clearTimeout(deadline);
    return idle;
  }

  /** Once is not enough: the answer may be on its way, or the statement, where it is long. */
  function abandonSilent(idle: ReadonlySet<number>) {
    const silent = [...waiting].filter((waiter) => isSilent(waiter, idle));
    if (silent.length === 0) return;
    log.warn({ statements: silent.length }, "postgres.connection_silent");
    silentAt = performance.now();
    giveUp(silent, () => new DatabaseStalled("the connection is dead"));
    onSilent(silent.flatMap(({ sent }) => sent?.session ?? []));
  }

  function isSilent(waiter: Waiting, idle: ReadonlySet<number>): boolean {
    const { sent, silence } = waiter;
    if (!sent || !idle.has(sent.session)) {
      waiter.silence = undefined;
      return false;
    }
    const moved = sent.moved();
    if (silence?.moved === moved)
      return performance.now() - silence.since >= (waiter.since < silentAt ? lookMs : silentMs);
    waiter.silence = { since: performance.now(), moved };
    return false;
  }

  function abandon(probedAt: number) {
    if (stalledSince === undefined) log.error({ statements: waiting.size }, "postgres.stalled");
    stalledSince ??= probedAt;
    giveUp([...waiting], () => new DatabaseStalled());
  }

  function giveUp(waiters: readonly Waiting[], reason: () => Error) {
    for (const waiter of waiters) {
      waiting.delete(waiter);
      waiter.isAbandoned = true;
      waiter.reject(reason());
    }
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
