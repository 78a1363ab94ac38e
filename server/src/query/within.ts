import { type Box, intersectionOf, type Point } from "../geography/points.ts";
import type { Hit, Search } from "../place-index/port.ts";
import { together } from "./costs.ts";
import { askedOf, type Region, regionsOf } from "./plan.ts";
import { type Ask, bestOf, searchRegion } from "./search-region.ts";
import { type Interpretation, isNamedWhere, targetOf } from "./spans.ts";

/** What every place must keep to, besides what is asked; with the id of an area, it is to lie there whatever `contains` says. */
export type Limits = { box: Box; contains(latitude: number, longitude: number): boolean; area?: string };

const nowhere = { circle: null, country: null, isCovered: true };

/** Everything inside the limits that the likeliest readings mean as typed, in one order for all pages. */
export async function answerWithin(
  interpretations: readonly Interpretation[],
  limits: Limits,
  { limit, ask }: { limit: number; ask: Ask },
): Promise<{ hits: Hit[]; isComplete: boolean }> {
  const all: Hit[] = [];
  let isComplete = true;
  for (const { read, region } of regionsWithin(interpretations, limits)) {
    const found = await searchRegion(askedOf(read, "exact"), region, { limit, ask });
    isComplete &&= found.isComplete;
    all.push(...found.hits);
  }
  return { hits: bestOf(all), isComplete };
}

/** A search to walk through, and what decides besides. */
export type Walk = { search: Omit<Search, "limit">; contains: ((point: Point) => boolean) | null };

/** The same for going through all of them. */
export function walksWithin(interpretations: readonly Interpretation[], limits: Limits): Walk[] {
  return regionsWithin(interpretations, limits).flatMap(({ read, region: { window, contains } }) =>
    askedOf(read, "exact").map((asked) => ({ search: { ...asked, window, order: { by: "quality" } }, contains })),
  );
}

function regionsWithin(interpretations: readonly Interpretation[], limits: Limits) {
  const most = (interpretations[0]?.cost ?? 0) + together;
  return interpretations.flatMap((read) => {
    if (read.cost > most || read.where.filter(isNamedWhere).some(targetOf)) return [];
    const [region] = regionsOf(read, nowhere);
    return region ? [{ read, region: clipped(region, limits) }] : [];
  });
}

/** The same region without what lies outside of the limits. */
function clipped(region: Region, { box, contains, area }: Limits): Region {
  const boxes = region.window.boxes.map((each) => intersectionOf(each, box)).filter((each) => each !== undefined);
  const window = { ...region.window, boxes };
  if (area !== undefined) return { ...region, window: { ...window, areas: [...window.areas, area] } };
  return {
    ...region,
    window,
    contains: (point) => region.contains?.(point) !== false && contains(point.latitude, point.longitude),
  };
}
