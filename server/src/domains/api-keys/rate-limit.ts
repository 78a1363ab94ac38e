/** What a key may still send. */
export type RateState = {
  perSecond: number;
  /** The most requests at once, and the seconds it takes until all of them are available again. */
  burst: number;
  windowSeconds: number;
  /** What is left of the burst, and the seconds until it is whole again. */
  remaining: number;
  fullInSeconds: number;
  /** 0 when the request may pass. */
  retryAfterSeconds: number;
};

const windowSeconds = 2;

/**
 * A token bucket per key: `perSecond` tokens flow in, at most twice as many are kept. Each
 * process counts for itself; behind n processes a key may reach n times the rate.
 */
export function createRateLimit(perSecond: number, nowMs: () => number = () => performance.now()) {
  const burst = perSecond * windowSeconds;
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweptAt = nowMs();

  /** Takes a token if there is one, and says how long to wait if there is none. */
  function take(key: string): RateState {
    const now = nowMs();
    sweep(now);
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    buckets.set(key, bucket);
    const retryAfterSeconds = bucket.tokens < 1 ? Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)) : 0;
    if (retryAfterSeconds === 0) bucket.tokens -= 1;
    const fullInSeconds = Math.ceil((burst - bucket.tokens) / perSecond);
    return { perSecond, burst, windowSeconds, remaining: Math.floor(bucket.tokens), fullInSeconds, retryAfterSeconds };
  }

  /** Drops buckets that are full again, so that the map is bounded by the keys in use. */
  function sweep(now: number) {
    if (now - sweptAt < 60_000) return;
    sweptAt = now;
    for (const [key, bucket] of buckets) {
      if (now - bucket.at > windowSeconds * 1_000) buckets.delete(key);
    }
  }

  return { take };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
