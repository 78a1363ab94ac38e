import { type Clock, elapsedMs } from "../platform/clock.ts";
import { type Meters, noMeters } from "../platform/meters.ts";
import { withDeadline } from "../platform/deadline.ts";
import { restWithin } from "./retry-after.ts";
import {
  type BreakerLimits,
  type Source,
  SourceFailure,
  type SourcePage,
  type SourcePurpose,
  type SourceQuery,
} from "./source.ts";

type GuardedSource = Source & {
  /** The same source behind the same breaker, with the deadline of another purpose. */
  forPurpose(purpose: SourcePurpose): Source;
  /** Whether the breaker lets nobody pass now. */
  isLeftAlone(): boolean;
};

type GuardOptions = { clock: Clock; meters?: Meters };

/** What a source without a description of its own gets: those of tests. */
const standard = { deadlinesMs: { search: 12_000, job: 60_000 }, breaker: { failuresMax: 5, openMs: 30_000 } };

/**
 * Gives a source its deadline and its circuit breaker, both as its description says, so that callers
 * of a source in trouble hear of it at once.
 *
 * *Closed*: everyone passes. After `failuresMax` failures in a row the breaker is *open*: nobody
 * passes for `openMs`, or for as long as the source itself asked with *slow down*. Then it is
 * *half-open*: one caller passes as a probe; its success closes the breaker, its failure opens it
 * again. A question that this source cannot answer, one that found too many before it, and a caller
 * who went away, prove nothing.
 *
 * A source that describes no breaker is never closed: one slow search of our own data says nothing
 * about the next.
 */
export function guard(source: Source, { clock, meters = noMeters }: GuardOptions): GuardedSource {
  const { deadlinesMs = standard.deadlinesMs, breaker = standard.breaker } = source;
  const observe = createSearchMeter(source, meters);
  const pass = breaker ? createBreaker(source, breaker, clock) : undefined;

  function forPurpose(purpose: SourcePurpose): Source {
    const deadlineMs = deadlinesMs[purpose];
    const search = (query: SourceQuery, signal: AbortSignal) =>
      observe(
        withDeadline((either) => source.search(query, either, deadlineMs), {
          signal,
          deadlineMs,
          timeout: () => new SourceFailure("try_again", "source_timeout", `${source.name} took over ${deadlineMs} ms`),
        }),
        signal,
      );
    if (!pass) return { ...source, search };
    return {
      ...source,
      search: (query, signal) => pass.through(signal, () => search(query, signal)),
      refuse: pass.refuse,
    };
  }

  return { ...forPurpose("search"), forPurpose, isLeftAlone: () => pass?.isOpen() ?? false };
}

/** Measures each search by source and outcome. One that its caller gave up is no outcome of the source's. */
function createSearchMeter({ name }: Source, { histogram }: Meters) {
  const seconds = histogram(
    "waypost_source_search_seconds",
    "How long searches of a source took, by what came of them.",
    ["source", "outcome"],
    [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 15, 60],
  );
  return async (search: Promise<SourcePage>, signal: AbortSignal): Promise<SourcePage> => {
    const startedAt = performance.now();
    const note = (outcome: string) => seconds({ source: name, outcome }, (performance.now() - startedAt) / 1_000);
    try {
      const page = await search;
      note(page.verdict);
      return page;
    } catch (error) {
      if (!signal.aborted) note(error instanceof SourceFailure ? error.code : "internal_error");
      throw error;
    }
  };
}

function createBreaker({ name }: Source, { failuresMax, openMs }: BreakerLimits, clock: Clock) {
  let failures = 0;
  let openUntil = 0;
  let isProbing = false;
  const counted = new WeakSet<SourceFailure>();

  async function through(signal: AbortSignal, search: () => Promise<SourcePage>): Promise<SourcePage> {
    signal.throwIfAborted();
    const isProbe = enter();
    try {
      const page = await search();
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
    const waitMs = openUntil - elapsedMs(clock);
    if (waitMs > 0) throw unavailable(Math.ceil(waitMs / 1000));
    if (openUntil > 0 && isProbing) throw unavailable(1);
  }

  function learn(error: unknown, signal: AbortSignal) {
    const failure = error instanceof SourceFailure ? error : undefined;
    if (signal.aborted || (failure && failure.fault !== "source")) return;
    // Equal searches may share a request, whose failure is one.
    if (failure && counted.has(failure)) return;
    if (failure) counted.add(failure);
    failures += 1;
    if (failure?.action === "slow_down") {
      return open(failure.retryAfterSeconds ? restWithin(failure.retryAfterSeconds) * 1000 : openMs);
    }
    if (failures >= failuresMax || openUntil > 0) open(openMs);
  }

  function open(ms: number) {
    openUntil = Math.max(openUntil, elapsedMs(clock) + ms);
  }

  function close() {
    failures = 0;
    // A success that began before the source asked us to slow down does not take that back.
    if (openUntil <= elapsedMs(clock)) openUntil = 0;
  }

  function unavailable(retryAfterSeconds: number) {
    const times = failures === 1 ? "1 failure" : `${failures} failures`;
    const sentence = `${name} is disabled for ${retryAfterSeconds} s after ${times}.`;
    return new SourceFailure("slow_down", "source_unavailable", sentence, { retryAfterSeconds });
  }

  return { through, refuse, isOpen: () => openUntil > elapsedMs(clock) };
}
