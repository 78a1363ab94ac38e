import type { Found, Hit, Search } from "../place-index/port.ts";
import type { AskedOf, Region } from "./plan.ts";

export type Ask = (search: Search) => Promise<Pick<Found, "hits" | "isComplete">>;

/** Where an outline decides, so many times as many are asked for, as many lie in its box and not in it. */
const growth = 4;
/** More than these are never asked for at once. */
const askedMax = 20_000;

/** The best places in one region that answer one of these. */
export async function searchRegion(
  wanted: readonly AskedOf[],
  { window, order, penalty, contains }: Region,
  { limit, ask }: { limit: number; ask: Ask },
): Promise<{ hits: Hit[]; isComplete: boolean }> {
  const all: Hit[] = [];
  let isComplete = true;
  for (const asked of wanted) {
    for (let most = contains ? limit * growth : limit; ; most *= growth) {
      const found = await ask({ ...asked, window, order, limit: Math.min(most, askedMax) });
      const hits = contains ? found.hits.filter(contains) : found.hits;
      const isAll = found.hits.length < most || most >= askedMax || !found.isComplete;
      if (!isAll && hits.length < limit) continue;
      isComplete &&= found.isComplete;
      all.push(...hits.map((hit) => ({ ...hit, score: hit.score - penalty })));
      break;
    }
  }
  return { hits: all, isComplete };
}

/** Several readings may find one place; it counts where it is best. */
export function bestOf(hits: readonly Hit[]): Hit[] {
  const best = new Map<number, Hit>();
  for (const hit of hits) if ((best.get(hit.place)?.score ?? -Infinity) < hit.score) best.set(hit.place, hit);
  return [...best.values()].toSorted((one, other) => other.score - one.score || one.place - other.place);
}
