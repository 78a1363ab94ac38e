export type Hit = { number: number; score: number };

/** Keeps the best of many: higher score first, ties by the lower number. */
export function createTop(limit: number) {
  const heap: Hit[] = [];
  let count = 0;

  function offer(number: number, score: number) {
    count += 1;
    if (heap.length < limit) {
      heap.push({ number, score });
      rise(heap.length - 1);
      return;
    }
    const [worst] = heap;
    if (!worst || !isBetter(score, number, worst)) return;
    heap[0] = { number, score };
    sink();
  }

  function rise(from: number) {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorseAt(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink() {
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && isWorseAt(left + 1, left) ? left + 1 : left;
      if (!isWorseAt(child, at)) return;
      swap(child, at);
      at = child;
    }
  }

  function isWorseAt(a: number, b: number): boolean {
    const [first, second] = [heap[a], heap[b]];
    return first !== undefined && second !== undefined && isBetter(second.score, second.number, first);
  }

  function swap(a: number, b: number) {
    const [first, second] = [heap[a], heap[b]];
    if (first && second) [heap[a], heap[b]] = [second, first];
  }

  return {
    offer,
    /** The score that the next one must reach, once there are enough. */
    worst: () => (heap.length < limit ? undefined : heap[0]?.score),
    /** How many were offered, kept or not; those not offered because they could not be kept are missing. */
    count: () => count,
    list: () => [...heap].sort((a, b) => b.score - a.score || a.number - b.number),
  };
}

export type Top = ReturnType<typeof createTop>;

function isBetter(score: number, number: number, than: Hit): boolean {
  return score > than.score || (score === than.score && number < than.number);
}

/** Several readings may find one place; it counts where it is best. */
export function together(lists: readonly Hit[][]): Hit[] {
  const [only, ...others] = lists;
  if (only && others.length === 0) return only;
  const best = new Map<number, Hit>();
  for (const hit of lists.flat()) {
    const known = best.get(hit.number);
    if (!known || hit.score > known.score) best.set(hit.number, hit);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.number - b.number);
}
