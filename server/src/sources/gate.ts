import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, elapsedMs } from "../platform/clock.ts";
import { SourceFailure, type SourceFault } from "./source.ts";

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

/** When to come again, where nobody knows how long the others take. */
const tooManySeconds = 5;

type GateOptions = {
  service: string;
  /** From the beginning of one request to that of the next. */
  intervalMs: number;
  atOnceMax: number;
  waitingMax: number;
  clock: Clock;
  wait: Wait;
};

/**
 * The manners of one service: so many requests at once, so much time between them, and none at all
 * while the source is rate limiting us. What would wait too long is sent away instead, at once.
 */
export function createGate({ service, intervalMs, atOnceMax, waitingMax, clock, wait }: GateOptions) {
  const waiting: (() => void)[] = [];
  /** Until the next may start, while somebody waits for that. */
  let pause: AbortController | undefined;
  let running = 0;
  let nextStart = 0;
  let restUntil = 0;

  /** `patienceMs`: how long the caller can wait for its turn; then it is sent away, and nobody was asked. */
  async function through<Result>(
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
      // How long those in front take to be answered, nobody knows beforehand.
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

  /** Lets the longest waiters pass, as many as may. One who gave up has taken nobody's time. */
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

  return { through };
}

function slowDown(sentence: string, retryAfterSeconds: number, fault: SourceFault = "source"): SourceFailure {
  return new SourceFailure("slow_down", "source_unavailable", sentence, { retryAfterSeconds, fault });
}

export type Gate = ReturnType<typeof createGate>;
