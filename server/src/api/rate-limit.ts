export type RateVerdict = {
  /** The values of the headers `RateLimit-Policy` and `RateLimit`. */
  policy: string;
  limit: string;
  /** 0 when the request may pass. */
  retryAfterSeconds: number;
};

/**
 * A token bucket per key: `perSecond` tokens flow in, at most twice as many are kept. Each
 * process counts for itself; behind n processes a key may reach n times the rate.
 */
export function createRateLimit(perSecond: number, nowMs: () => number = () => performance.now()) {
  const burst = perSecond * 2;
  const policy = `"default";q=${burst};w=2`;
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweptAt = nowMs();

  /** Takes a token if there is one, and tells how long to wait if there is none. */
  function take(key: string): RateVerdict {
    const now = nowMs();
    sweep(now);
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    buckets.set(key, bucket);
    const retryAfterSeconds = bucket.tokens < 1 ? Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)) : 0;
    if (retryAfterSeconds === 0) bucket.tokens -= 1;
    const secondsToFull = Math.ceil((burst - bucket.tokens) / perSecond);
    return { policy, limit: `"default";r=${Math.floor(bucket.tokens)};t=${secondsToFull}`, retryAfterSeconds };
  }

  /** Forgets buckets that have filled up again, so that the map is bounded by the keys in use. */
  function sweep(now: number) {
    if (now - sweptAt < 60_000) return;
    sweptAt = now;
    for (const [key, bucket] of buckets) {
      if (now - bucket.at > 2_000) buckets.delete(key);
    }
  }

  return { perSecond, take };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
