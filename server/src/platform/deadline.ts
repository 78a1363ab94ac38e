type DeadlineOptions = {
  /** The caller's own; its reason is passed on. */
  signal: AbortSignal;
  deadlineMs: number;
  /** What the work rejects with when the deadline passes. */
  timeout: () => Error;
};

/**
 * Runs work under a signal that aborts with the caller's or at the deadline, and rejects at that
 * moment even when the work ignores its signal.
 *
 * The signal is put together by hand: with AbortSignal.any and AbortSignal.timeout a call costs
 * 8 µs instead of 2 µs, and a search in memory takes about 40 µs.
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, deadlineMs, timeout }: DeadlineOptions,
): Promise<Result> {
  signal.throwIfAborted();
  const either = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    either.abort(reason);
    ended.reject(reason);
  };
  const leave = () => end(signal.reason);
  const timer = setTimeout(() => end(timeout()), deadlineMs);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work(either.signal), ended.promise]);
  } catch (error) {
    throw either.signal.aborted ? either.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}
