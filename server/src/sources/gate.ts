import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../platform/clock.ts";
import { SourceFailure } from "./source.ts";

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

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
 * while the source is rate limiting us. What would wait too long is sent away instead.
 */
export function createGate({ service, intervalMs, atOnceMax, waitingMax, clock, wait }: GateOptions) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let nextStart = 0;
  let restUntil = 0;

  async function through<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    refuseWhileResting();
    await enter(signal);
    try {
      const now = clock.now().getTime();
      const start = Math.max(now, nextStart);
      nextStart = start + intervalMs;
      if (start > now) await wait(start - now, signal);
      refuseWhileResting();
      return await ask();
    } catch (error) {
      if (error instanceof SourceFailure && error.action === "slow_down") rest(error.retryAfterSeconds ?? 0);
      throw error;
    } finally {
      leave();
    }
  }

  async function enter(signal: AbortSignal): Promise<void> {
    if (running < atOnceMax) {
      running += 1;
      return;
    }
    if (waiting.length >= waitingMax) throw slowDown("has too many of our questions waiting", 5);
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(signal.reason as Error);
      };
      waiting.push(turn);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** A finished call hands its place to the longest waiter. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  function refuseWhileResting(): void {
    const seconds = Math.ceil((restUntil - clock.now().getTime()) / 1000);
    if (seconds > 0) throw slowDown("asked for rest", seconds);
  }

  function rest(seconds: number): void {
    restUntil = Math.max(restUntil, clock.now().getTime() + seconds * 1000);
  }

  function slowDown(sentence: string, retryAfterSeconds: number): SourceFailure {
    return new SourceFailure("slow_down", "source_unavailable", `${service} ${sentence}.`, { retryAfterSeconds });
  }

  return { through };
}

export type Gate = ReturnType<typeof createGate>;
