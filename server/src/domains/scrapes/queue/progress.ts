/**
 * Waits for the work and calls `report` whenever that takes longer than `dueInMs`, the time until
 * stored results that no event has reported yet are due for one. `report` resolves to the next such
 * time, or to null when everything has been reported.
 */
export async function reportWhileWaiting<Value>(
  work: Promise<Value>,
  dueInMs: number | null,
  report: () => Promise<number | null>,
): Promise<Value> {
  const settled = work.then(
    () => true,
    () => true,
  );
  for (let waitMs = dueInMs; waitMs !== null; waitMs = await report()) {
    if (await endsWithin(settled, waitMs)) break;
  }
  return work;
}

async function endsWithin(settled: Promise<boolean>, ms: number): Promise<boolean> {
  const due = Promise.withResolvers<false>();
  const timer = setTimeout(() => due.resolve(false), ms);
  try {
    return await Promise.race([settled, due.promise]);
  } finally {
    clearTimeout(timer);
  }
}
