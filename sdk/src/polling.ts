import { WaypostError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import type { Sleep } from "./retry.ts";

export type WaitOptions<Thing> = CallOptions & {
  /** How long to wait in all; 600,000 when absent. What is waited for goes on when the wait ends. */
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

/** Reads again and again until what was read has ended. */
export async function waitFor<Thing>(
  read: () => Promise<Thing>,
  hasEnded: (thing: Thing) => boolean,
  sleep: Sleep,
  { waitMs = waitMsDefault, onUpdate, signal }: WaitOptions<Thing> = {},
): Promise<Thing> {
  const nextDelay = createPollDelay();
  const deadline = Date.now() + waitMs;
  for (;;) {
    const thing = await read();
    onUpdate?.(thing);
    if (hasEnded(thing)) return thing;

    const remaining = deadline - Date.now();
    if (remaining <= 0) {
      const message = `It has not ended within ${waitMs} ms and goes on; wait again, or longer with waitMs.`;
      throw new WaypostError({ code: "wait_timed_out", message, retryable: true });
    }
    await sleep(Math.min(nextDelay(), remaining), signal);
  }
}
