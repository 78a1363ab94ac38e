/** Places from one to another, both included. */
export type Range = readonly [first: number, last: number];

/** The same places in ranges that do not touch, in order. */
export function joined(ranges: readonly Range[]): Range[] {
  const all: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = all.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else all.push([first, last]);
  }
  return all;
}

/** What of some ranges is not in others; both are joined. */
export function without(ranges: readonly Range[], others: readonly Range[]): Range[] {
  const left: Range[] = [];
  let at = 0;
  for (const [first, last] of ranges) {
    let from = first;
    while (at > 0 && (others[at - 1]?.[1] ?? -1) >= from) at -= 1;
    for (; from <= last; at += 1) {
      const [begin, end] = others[at] ?? [Infinity, Infinity];
      if (end < from) continue;
      if (begin > from) left.push([from, Math.min(last, begin - 1)]);
      from = Math.max(from, end + 1);
    }
  }
  return left;
}

/** Those in the ranges, of rows in the order of their places. */
export function within<Row extends readonly [place: number, ...rest: unknown[]]>(
  rows: readonly Row[],
  ranges: readonly Range[],
): Row[] {
  let at = 0;
  return rows.filter(([place]) => {
    while (at < ranges.length && (ranges[at]?.[1] ?? 0) < place) at += 1;
    return (ranges[at]?.[0] ?? Infinity) <= place;
  });
}
