import type pg from "pg";

type Taken = (failure: Error | undefined, client: pg.PoolClient | undefined) => void;

/** Most are free again before; opening another takes 50 to 100 ms on a busy machine, and its first statements as long. */
const openAfterMs = 5;

/**
 * Takes connections from a pool. By itself the pool opens one for each caller that finds none free, and lets it wait for
 * that one. Here whichever comes first, one that is free or a new one, serves whoever waits longest.
 */
export function createFirstFree(pool: pg.Pool, connectionsMax: number) {
  const waiting = new Set<Taken>();
  pool.on("release", () => process.nextTick(serve)); // it is free then

  function take(taken: Taken): void {
    if (isOneFree() || pool.totalCount >= connectionsMax) return pool.connect(taken);
    waiting.add(taken);
    if (pool.totalCount === 0) open();
    else setTimeout(() => void (waiting.has(taken) && open()), openAfterMs);
  }

  /** For each that waits so long: a failure ends one wait, and a new connection nobody waits for goes to the pool. */
  function open(): void {
    pool.connect((failure, client) => {
      const longest = next();
      if (longest) longest(failure, client);
      else client?.release();
    });
  }

  function serve(): void {
    while (isOneFree()) {
      const longest = next();
      if (!longest) return;
      pool.connect(longest);
    }
  }

  function next(): Taken | undefined {
    const [longest] = waiting;
    if (longest) waiting.delete(longest);
    return longest;
  }

  /** Beside those that callers are about to get. */
  function isOneFree(): boolean {
    return pool.idleCount > pool.waitingCount;
  }

  return { take, waiting: () => pool.waitingCount + waiting.size };
}
