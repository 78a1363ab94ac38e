/** Runs at most `slotsMax` pieces of work at once; further ones wait, and over `waitingMax` they are refused. */
export function createSlots({ slotsMax, waitingMax }: { slotsMax: number; waitingMax: number }) {
  const waiting = new Set<() => void>();
  let running = 0;

  /** Throws `refusal()` when too many wait, or when the signal aborts before the work has begun. */
  async function run<Result>(signal: AbortSignal, refusal: () => Error, work: () => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw refusal();
    if (running < slotsMax) running += 1;
    else await turn(signal, refusal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Passes the slot to the longest waiter, or frees it. */
  function release() {
    const [next] = waiting;
    if (next) next();
    else running -= 1;
  }

  function turn(signal: AbortSignal, refusal: () => Error): Promise<void> {
    if (waiting.size >= waitingMax) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(begin);
        signal.removeEventListener("abort", giveUp);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(refusal());
      };
      waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  return { run };
}
