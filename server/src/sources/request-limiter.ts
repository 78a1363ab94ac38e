import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, elapsedMs } from "../platform/clock.ts";
import { SourceFailure, type SourceFault } from "./source.ts";

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

/** When to try again, where the end of the requests in front is not known. */
const tooManySeconds = 5;

type RequestLimiterOptions = {
  service: string;
  /** From the beginning of one request to that of the next. */
  intervalMs: number;
  atOnceMax: number;
  waitingMax: number;
  clock: Clock;
  wait: Wait;
};

/**
 * How fast one service is asked: at most so many requests at once, a time between two of them, and none
 * while it limits our rate. A request that would wait longer than its caller can is refused at once.
 */
export function createRequestLimiter({
  service,
  intervalMs,
  atOnceMax,
  waitingMax,
  clock,
  wait,
}: RequestLimiterOptions) {
  const waiting: (() => void)[] = [];
  /** Until the next may start, while somebody waits for that. */
  let pause: AbortController | undefined;
  let running = 0;
  let nextStart = 0;
  let restUntil = 0;

  /** `patienceMs`: how long the caller can wait for its turn. After that it is refused, and no request is sent. */
  async function run<Result>(
    signal: AbortSignal,
    ask: () => Promise<Result>,
    patienceMs = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    refuseWhileResting();
    refuseBeyond(patienceMs);
    await enter(signal, patienceMs);
    try {
      refuseWhileResting();
      return await ask();
    } catch (error) {
      if (error instanceof SourceFailure && error.action === "slow_down") rest(error.retryAfterSeconds ?? 0);
      throw error;
    } finally {
      running -= 1;
      admit();
    }
  }

  async function enter(signal: AbortSignal, patienceMs: number): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        stopWaiting();
        resolve();
      };
      const leave = (reason: Error) => {
        stopWaiting();
        waiting.splice(waiting.indexOf(turn), 1);
        if (waiting.length === 0) pause?.abort();
        reject(reason);
      };
      const giveUp = () => leave(signal.reason as Error);
      // The requests in front may take longer than their spacing.
      const timer = Number.isFinite(patienceMs)
        ? setTimeout(() => leave(tooMany(tooManySeconds)), patienceMs)
        : undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      };
      waiting.push(turn);
      signal.addEventListener("abort", giveUp, { once: true });
      admit();
    });
  }

  /** Starts the requests that waited longest, as many as may run. One that gave up took no slot. */
  function admit(): void {
    while (waiting.length > 0 && running < atOnceMax) {
      const now = elapsedMs(clock);
      if (now < nextStart) return admitIn(nextStart - now);
      nextStart = now + intervalMs;
      running += 1;
      waiting.shift()?.();
    }
  }

  function admitIn(milliseconds: number): void {
    if (pause) return;
    const ours = (pause = new AbortController());
    wait(milliseconds, ours.signal)
      .catch(() => undefined) // nobody waits any more
      .finally(() => {
        pause = undefined;
        admit();
      });
  }

  function refuseWhileResting(): void {
    const seconds = Math.ceil((restUntil - elapsedMs(clock)) / 1000);
    if (seconds > 0) throw slowDown(`Requests to ${service} are paused for ${seconds} s, as it asked.`, seconds);
  }

  function refuseBeyond(patienceMs: number): void {
    if (waiting.length >= waitingMax) throw tooMany(tooManySeconds);
    const waitMs = Math.max(0, nextStart - elapsedMs(clock)) + waiting.length * intervalMs;
    if (waitMs > patienceMs) throw tooMany(Math.ceil(waitMs / 1000));
  }

  function rest(seconds: number): void {
    restUntil = Math.max(restUntil, elapsedMs(clock) + seconds * 1000);
  }

  function tooMany(retryAfterSeconds: number): SourceFailure {
    const sentence = `The request queue for ${service} is full. Try again in ${retryAfterSeconds} s.`;
    return slowDown(sentence, retryAfterSeconds, "load");
  }

  return { run };
}

function slowDown(sentence: string, retryAfterSeconds: number, fault: SourceFault = "source"): SourceFailure {
  return new SourceFailure("slow_down", "source_unavailable", sentence, { retryAfterSeconds, fault });
}

export type RequestLimiter = ReturnType<typeof createRequestLimiter>;
