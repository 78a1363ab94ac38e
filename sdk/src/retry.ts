export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

const firstDelayMs = 500;
const delayMsMax = 8_000;
/** The longest that a timer runs: 24 days. A longer one would end at once. */
export const timerMsMax = 2 ** 31 - 1;
/** A longer Retry-After is left to the caller. */
export const retryAfterMsMax = 60_000;

/** Exponential back-off with jitter; `attempt` counts from 0. Never under half, so that a retry is never immediate. */
export function backoffMs(attempt: number): number {
  const ceiling = Math.min(delayMsMax, firstDelayMs * 2 ** attempt);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** Reads Retry-After, which is seconds or a date; undefined when it is neither. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // A date begins with its weekday; Date.parse takes "-5" for one too.
  const date = /^[A-Z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Resolves after so long; rejects with the signal's reason as soon as it is aborted. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
