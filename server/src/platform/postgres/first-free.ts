import type pg from "pg";

type Taken = (failure: Error | undefined, client: pg.PoolClient | undefined) => void;

/**
 * Takes connections from a pool. By itself the pool lets a caller for whom it opens one wait for that one, 50 to 100 ms
 * on a busy machine, also when others are free after a millisecond. Here whichever comes first serves whoever waits longest.
 */
export function createFirstFree(pool: pg.Pool, connectionsMax: number) {
  /** For each of them a connection is being opened, and its outcome serves one. */
  const waiting: Taken[] = [];
  pool.on("release", () => process.nextTick(serve)); // it is free then

  function take(taken: Taken): void {
    if (isOneFree() || pool.totalCount >= connectionsMax) return void pool.connect(taken);
    waiting.push(taken);
    pool.connect((failure, client) => {
      const longest = waiting.shift();
      if (longest) longest(failure, client);
      else client?.release();
    });
  }

  function serve(): void {
    while (isOneFree()) {
      const longest = waiting.shift();
      if (!longest) return;
      pool.connect(longest);
    }
  }

  /** Beside those that callers are about to get. */
  function isOneFree(): boolean {
    return pool.idleCount > pool.waitingCount;
  }

  return { take, waiting: () => pool.waitingCount + waiting.length };
}
