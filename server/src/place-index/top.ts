import type { Hit } from "./port.ts";

/** Keeps the best of many: higher score first, ties by the lower number. */
export function createTop(limit: number) {
  const heap: Hit[] = [];

  function offer(hit: Hit) {
    if (heap.length < limit) {
      heap.push(hit);
      rise(heap.length - 1);
    } else if (heap[0] && isBetter(hit, heap[0])) {
      heap[0] = hit;
      sink();
    }
  }

  function rise(from: number) {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isWorseAt(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink() {
    for (let at = 0; ;) {
      const left = at * 2 + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && isWorseAt(left + 1, left) ? left + 1 : left;
      if (!isWorseAt(child, at)) return;
      swap(child, at);
      at = child;
    }
  }

  function isWorseAt(one: number, other: number): boolean {
    const [first, second] = [heap[one], heap[other]];
    return first !== undefined && second !== undefined && isBetter(second, first);
  }

  function swap(one: number, other: number) {
    const [first, second] = [heap[one], heap[other]];
    if (first && second) [heap[one], heap[other]] = [second, first];
  }

  return {
    offer,
    /** The score that the next one must reach, once there are enough. */
    worst: () => (heap.length < limit ? undefined : heap[0]?.score),
    list: () => [...heap].sort(byScore),
  };
}

export type Top = ReturnType<typeof createTop>;

function byScore(one: Hit, other: Hit): number {
  return other.score - one.score || one.place - other.place;
}

function isBetter(one: Hit, other: Hit): boolean {
  return byScore(one, other) < 0;
}
