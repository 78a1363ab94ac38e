import type { Hit, Search } from "../../../place-index/port.ts";
import type { Walk } from "../../../query/within.ts";

type Next = (search: Search, after: number) => Promise<readonly Hit[]>;

const walkedAtOnce = 100;

/**
 * The places of all walks together that come next in the order of their numbers, and the last of them; null behind the
 * end. Numbers are never used again, so whoever goes on from there misses none, whatever was imported meanwhile.
 */
export async function walkOn(
  next: Next,
  walks: readonly Walk[],
  { after, limit }: { after: number; limit: number },
): Promise<{ places: number[]; last: number | null }> {
  const parts = await Promise.all(walks.map((walk) => walkOne(next, walk, { after, limit })));
  const places = [...new Set(parts.flatMap((part) => part.places))].sort((one, other) => one - other);
  const isOver = places.length <= limit && parts.every(({ isDone }) => isDone);
  const page = places.slice(0, limit);
  return { places: page, last: isOver ? null : (page.at(-1) ?? null) };
}

/** As many as are asked for, unless there are no more. */
async function walkOne(
  next: Next,
  { search, contains }: Walk,
  { after, limit }: { after: number; limit: number },
): Promise<{ places: number[]; isDone: boolean }> {
  const places: number[] = [];
  const atOnce = Math.max(limit, walkedAtOnce);
  for (let from = after; ;) {
    const hits = await next({ ...search, limit: atOnce }, from);
    for (const hit of hits) if (contains?.(hit) !== false) places.push(hit.place);
    from = hits.at(-1)?.place ?? from;
    if (hits.length < atOnce) return { places, isDone: true };
    if (places.length >= limit) return { places, isDone: false };
  }
}

/** Where a page begins: the generation that the page before was of, and its last place. */
export type Mark = { generation: number; place: number };

export function readMark(text: string | null): Mark {
  const [generation = 0, place = -1] = text?.split(":").map(Number) ?? [];
  return { generation, place };
}

export function writeMark({ generation, place }: Mark): string {
  return `${generation}:${place}`;
}
