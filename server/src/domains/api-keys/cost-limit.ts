import { CostLimited } from "./errors.ts";

/**
 * What the requests of an organization may take of the processor, beside how many they are: one large area takes as
 * much as a thousand reads. Whoever is not known yet, such as at a sign-in, pays by its network.
 */
export type CostLimit = {
  /** Throws when the payer has used up its time and must wait. */
  require(payer: string): void;
  /** Takes what a piece of work has taken, which is known only afterwards. */
  spend(payer: string, ms: number): void;
};

/** How many seconds of what flows in a payer may use at once. */
const burstSeconds = 3;
const sweepMs = 60_000;

/** A bucket of milliseconds for each payer, counted by each process. It may go below empty: the debt is waited off. */
export function createCostLimit({
  msPerSecond,
  nowMs,
  onRefused,
}: {
  msPerSecond: number;
  nowMs: () => number;
  onRefused(): void;
}): CostLimit {
  const burstMs = msPerSecond * burstSeconds;
  const spent = new Map<string, { ms: number; at: number }>();
  let sweptAt = nowMs();

  function require(payer: string): void {
    const over = spentBy(payer) - burstMs;
    if (over < 0) return;
    onRefused();
    throw CostLimited({ msPerSecond }, { retryAfterSeconds: Math.max(1, Math.ceil(over / msPerSecond)) });
  }

  function spend(payer: string, ms: number): void {
    sweep();
    spent.set(payer, { ms: spentBy(payer) + ms, at: nowMs() });
  }

  function spentBy(payer: string): number {
    const { ms, at } = spent.get(payer) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - ((nowMs() - at) / 1_000) * msPerSecond);
  }

  /** Forgets those who owe nothing, so that the map is bounded by the payers in use. */
  function sweep(): void {
    const now = nowMs();
    if (now - sweptAt < sweepMs) return;
    sweptAt = now;
    for (const payer of spent.keys()) if (spentBy(payer) === 0) spent.delete(payer);
  }

  return { require, spend };
}
