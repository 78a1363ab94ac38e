import { type Box, intersectionOf } from "../geography/points.ts";
import type { Hit } from "../place-index/port.ts";
import { together } from "./costs.ts";
import { type Region, regionsOf } from "./plan.ts";
import { type Ask, bestOf, searchRegion } from "./search-region.ts";
import { type Interpretation, isNamedWhere } from "./spans.ts";

/** What every place must keep to, besides what is asked. */
export type Limits = { box: Box; contains(latitude: number, longitude: number): boolean };

const nowhere = { circle: null, country: null, isCovered: true };

/** Everything inside the limits that the likeliest readings mean as typed, in one order for all pages. */
export async function answerWithin(
  interpretations: readonly Interpretation[],
  limits: Limits,
  { limit, ask }: { limit: number; ask: Ask },
): Promise<{ hits: Hit[]; isComplete: boolean }> {
  const most = (interpretations[0]?.cost ?? 0) + together;
  const all: Hit[] = [];
  let isComplete = true;
  for (const read of interpretations) {
    if (read.cost > most || read.where.filter(isNamedWhere).some((where) => "near" in where)) continue;
    const [region] = regionsOf(read, nowhere);
    if (!region) continue;
    const found = await searchRegion(read, clipped(region, limits), { leniency: "exact", limit, ask });
    isComplete &&= found.isComplete;
    all.push(...found.hits);
  }
  return { hits: bestOf(all), isComplete };
}

/** The same region without what lies outside of the limits. */
function clipped(region: Region, { box, contains }: Limits): Region {
  const boxes = region.window.boxes.map((each) => intersectionOf(each, box)).filter((each) => each !== undefined);
  return {
    ...region,
    window: { ...region.window, boxes },
    contains: (point) => region.contains?.(point) !== false && contains(point.latitude, point.longitude),
  };
}
