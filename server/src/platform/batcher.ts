type Pending<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

/** What the batcher needs of time; a test passes its own. */
export type BatcherTimers = {
  /** Monotonic milliseconds. */
  now(): number;
  setTimeout(callback: () => void, ms: number): void;
};

type BatcherOptions = {
  batchMax: number;
  /** How many flushes may run at once. */
  concurrency: number;
  /** Whether what waits is divided among them, so that callers go on with one while another runs; else each takes all it can. */
  isDivided?: boolean;
  /** How long a batch that is not full waits for a running flush before it gets a flush of its own. */
  maxDelayMs?: number;
  timers?: BatcherTimers;
};

const systemTimers: BatcherTimers = { now: () => performance.now(), setTimeout };

/**
 * Batches concurrent calls: items that arrive during a flush form the next batch, so under load many
 * share one trip to the database, while a single item is flushed at once. `flush` returns one result
 * per item, in order; when it throws, every item of that batch fails.
 */
export function createBatcher<Item, Result>(
  flush: (items: readonly Item[]) => Promise<readonly Result[]>,
  { batchMax, concurrency, isDivided = false, maxDelayMs = 0, timers = systemTimers }: BatcherOptions,
): (item: Item) => Promise<Result> {
  const pending: Pending<Item, Result>[] = [];
  let running = 0;
  let lastFlushAt = 0;
  let isFlushScheduled = false;

  function add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    pending.push({ item, resolve, reject });
    // At the end of this turn, so that items added in the same turn share the batch.
    if ((pending.length === 1 || pending.length === batchMax) && running < concurrency) setImmediate(flushPending);
    return promise;
  }

  function flushPending() {
    while (pending.length > 0 && running < concurrency) {
      const waitsForFlush = running > 0 && pending.length < batchMax;
      const delayMs = waitsForFlush ? maxDelayMs - (timers.now() - lastFlushAt) : 0;
      if (delayMs > 0) return scheduleFlush(delayMs);
      const share = isDivided ? Math.ceil(pending.length / (concurrency - running)) : batchMax;
      void flushBatch(pending.splice(0, Math.min(share, batchMax)));
    }
  }

  function scheduleFlush(ms: number) {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    timers.setTimeout(() => {
      isFlushScheduled = false;
      flushPending();
    }, ms);
  }

  async function flushBatch(batch: readonly Pending<Item, Result>[]): Promise<void> {
    running += 1;
    lastFlushAt = timers.now();
    try {
      const results = await flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("flush returned another number of results than of items");
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result); // there are as many
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      flushPending();
    }
  }

  return add;
}
