import type { Clock } from "../platform/clock.ts";
import { type Source, SourceFailure, type SourcePage, type SourceQuery } from "./source.ts";

/**
 * Stands between the callers and one source, so that a source in trouble is left alone and its
 * callers are told at once.
 *
 * *Closed*: everyone passes. After `failuresMax` failures in a row it is *open*: nobody passes for
 * `openMs`, or for as long as the source itself asked with *slow down*. Then it is *half-open*: one
 * caller passes as a probe; its success closes the breaker, its failure opens it again. A source
 * that says *give up* did answer, and a caller who went away proves nothing.
 */
export type GuardedSource = Source & {
  /** The same source behind the same breaker, for callers with another patience. */
  within(deadlineMs: number): Source;
};

type GuardOptions = {
  clock: Clock;
  /** How long the source may take for one page. */
  deadlineMs: number;
  failuresMax?: number;
  openMs?: number;
};

/** The longest that a source may ask us to stay away. */
const slowDownMaxMs = 600_000;

export function guard(source: Source, options: GuardOptions): GuardedSource {
  const { clock, deadlineMs, failuresMax = 5, openMs = 30_000 } = options;
  let failures = 0;
  let openUntil = 0;
  let isProbing = false;

  async function ask(query: SourceQuery, signal: AbortSignal, withinMs: number): Promise<SourcePage> {
    signal.throwIfAborted();
    const isProbe = enter();
    try {
      const page = await withDeadline(source, query, signal, withinMs);
      close();
      return page;
    } catch (error) {
      learn(error, signal);
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  }

  /** Lets a caller pass, or refuses it; true when it passes as the probe. */
  function enter(): boolean {
    refuse();
    isProbing = openUntil > 0;
    return isProbing;
  }

  function refuse() {
    const waitMs = openUntil - clock.now().getTime();
    if (waitMs > 0) throw unavailable(Math.ceil(waitMs / 1000));
    if (openUntil > 0 && isProbing) throw unavailable(1);
  }

  function learn(error: unknown, signal: AbortSignal) {
    if (signal.aborted) return;
    if (error instanceof SourceFailure && error.action === "give_up") return close();
    failures += 1;
    if (error instanceof SourceFailure && error.action === "slow_down") {
      return open(Math.min(slowDownMaxMs, (error.retryAfterSeconds ?? 0) * 1000 || openMs));
    }
    if (failures >= failuresMax || openUntil > 0) open(openMs);
  }

  function open(ms: number) {
    openUntil = Math.max(openUntil, clock.now().getTime() + ms);
  }

  function close() {
    failures = 0;
    // A success that began before the source asked us to slow down does not take that back.
    if (openUntil <= clock.now().getTime()) openUntil = 0;
  }

  function unavailable(retryAfterSeconds: number) {
    return new SourceFailure("slow_down", "source_unavailable", `${source.name} is left alone for now`, {
      retryAfterSeconds,
    });
  }

  function within(ms: number): Source {
    return { ...source, search: (query, signal) => ask(query, signal, ms), refuse };
  }

  return { ...within(deadlineMs), within };
}

/** Ends the wait at the deadline or with the caller, also for a source that does not heed its signal. */
async function withDeadline(source: Source, query: SourceQuery, signal: AbortSignal, deadlineMs: number) {
  // Put together by hand: AbortSignal.any and AbortSignal.timeout cost more than many a search.
  const either = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    either.abort(reason);
    ended.reject(reason);
  };
  const timer = setTimeout(
    () => end(new SourceFailure("try_again", "source_timeout", `${source.name} took longer than ${deadlineMs} ms`)),
    deadlineMs,
  );
  const leave = () => end(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([source.search(query, either.signal), ended.promise]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw either.signal.aborted && !(error instanceof SourceFailure) ? either.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}
