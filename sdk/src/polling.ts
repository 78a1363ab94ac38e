import { WaypostError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { type Sleep, timerMsMax } from "./retry.ts";

export type WaitOptions<Thing> = CallOptions & {
  /** How long to wait in all, 0 to read once; 600,000 when absent. What is waited for goes on when the wait ends. */
  waitMs?: number | undefined;
  /** Hears of every state that is read. */
  onUpdate?: ((thing: Thing) => void) | undefined;
};

const waitMsDefault = 600_000;
const firstPollMs = 250;
const pollMsMax = 5_000;

/** The pauses between polls: half as long again each time, with jitter, up to five seconds. */
export function createPollDelay(): () => number {
  let ms = firstPollMs;
  return () => {
    const delay = ms * (0.75 + Math.random() * 0.5);
    ms = Math.min(pollMsMax, ms * 1.5);
    return delay;
  };
}

/** Reads again and again until what was read has ended. The deadline holds within a read and its retries too. */
export async function waitFor<Thing>(
  read: (signal: AbortSignal | undefined) => Promise<Thing>,
  hasEnded: (thing: Thing) => boolean,
  sleep: Sleep,
  { waitMs = waitMsDefault, onUpdate, signal: outer }: WaitOptions<Thing> = {},
): Promise<Thing> {
  if (!(waitMs >= 0)) throw new TypeError("waitMs must be 0 or a number above it.");
  const nextDelay = createPollDelay();
  const deadline = createDeadline(waitMs, outer);
  let wasRead = false;
  try {
    for (;;) {
      const thing = await read(deadline.signal);
      wasRead = true;
      onUpdate?.(thing);
      if (hasEnded(thing)) return thing;

      const remaining = deadline.remainingMs();
      if (remaining <= 0) throw waitTimedOut(waitMs, wasRead);
      await sleep(Math.min(nextDelay(), remaining), deadline.signal);
    }
  } catch (error) {
    throw deadline.isCauseOf(error) ? waitTimedOut(waitMs, wasRead) : error;
  } finally {
    deadline.stop();
  }
}

/** Waiting for 0 ms is reading once: nothing cuts that read short. A wait that no timer can hold ends between two reads. */
function createDeadline(waitMs: number, outer: AbortSignal | undefined) {
  const endsAt = Date.now() + waitMs;
  const passed = new AbortController();
  const isTimed = waitMs > 0 && waitMs <= timerMsMax;
  const timer = isTimed ? setTimeout(() => passed.abort(), waitMs) : undefined;
  return {
    signal: outer ? AbortSignal.any([outer, passed.signal]) : passed.signal,
    remainingMs: () => endsAt - Date.now(),
    isCauseOf: (error: unknown) => passed.signal.aborted && error === passed.signal.reason,
    stop: () => clearTimeout(timer),
  };
}

function waitTimedOut(waitMs: number, wasRead: boolean): WaypostError<"wait_timed_out"> {
  const message = wasRead
    ? `It has not ended within ${waitMs} ms and goes on; wait again, or longer with waitMs.`
    : `How it stands could not be read within ${waitMs} ms; wait again, or longer with waitMs.`;
  return new WaypostError({ code: "wait_timed_out", message, retryable: true });
}
