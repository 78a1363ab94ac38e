import type { Static } from "typebox";
import type { Box } from "../../geography/points.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import { listingsMax, pagesMax, type Source, SourceFailure, type SourcePage } from "../../sources/source.ts";
import type { Principal } from "../api-keys/index.ts";
import { locate, pickSource } from "./area/look-up.ts";
import { readArea } from "./area/read-area.ts";
import type { Shape } from "./area/area.ts";
import { createShape } from "./area/shape.ts";
import { quartersOf, viewportOf } from "./cells.ts";
import type { Params } from "./collection.ts";
import { paramsOf } from "./create.ts";
import { CollectingUnavailable } from "./errors.ts";
import type { EstimateCollection } from "./schema.ts";
import { simulatedArea } from "./simulation.ts";

export type EstimateRequest = Static<typeof EstimateCollection>;

/** What a collection would take, as far as it can be told without collecting. */
export type Estimate = {
  /** Boxes that hold the area: south, west, north, east. */
  bounds: Box[];
  /** Null where the source cannot count without being paid for it. */
  units: number | null;
  businesses: number | null;
  /** False when the counting stopped early: it takes at least so much. */
  isComplete: boolean;
};

const searchesMax = 300;
const countingMs = 4_000;

/** The verb that counts beforehand, as collecting would: the same boxes, split the same way. It costs nothing. */
export function makeEstimate({ sources }: { sources: SourceSelection }) {
  return async function estimate({ environment }: Principal, request: EstimateRequest): Promise<Estimate> {
    if (environment === "test") return simulatedEstimate(request);
    const source = await pickSource(sources, paramsOf(request), request.area);
    if (!source) throw CollectingUnavailable();
    const shape = createShape(await locate(source, request));
    const unknown = { bounds: shape.bounds, units: null, businesses: null, isComplete: false };
    // Counting at somebody else's server is collecting; only our own data is counted for free.
    if (source.isLocal !== true) return unknown;
    const counted = await count(source, paramsOf(request), shape);
    return counted ? { bounds: shape.bounds, ...counted } : unknown;
  };
}

/** Undefined when the source does not count within bounds, or has no answer in time. */
async function count(source: Source, params: Params, shape: Shape) {
  const signal = AbortSignal.timeout(countingMs);
  const boxes: Box[] = [...shape.bounds];
  let [units, businesses, searches] = [0, 0, 0];
  for (let box = boxes.shift(); box !== undefined; box = boxes.shift()) {
    if (searches === searchesMax || signal.aborted) return { units, businesses, isComplete: false };
    searches += 1;
    const found = await countIn(box);
    if (found?.matching === undefined) return signal.aborted ? { units, businesses, isComplete: false } : undefined;
    const { matching, verdict } = found;
    const hasMore = matching > listingsMax * pagesMax || verdict === "trimmed";
    const quarters = hasMore ? quartersOf(box) : [];
    if (quarters.length > 0) {
      // A box that holds more than its pages is read once and then split.
      units += 1;
      boxes.push(...quarters.filter(shape.touches));
      continue;
    }
    units += Math.min(pagesMax, Math.max(1, Math.ceil(matching / listingsMax)));
    businesses += Math.min(matching, listingsMax * pagesMax);
  }
  return { units, businesses, isComplete: true };

  async function countIn(box: Box): Promise<SourcePage | undefined> {
    const within = { box, contains: shape.contains };
    try {
      return await source.search({ ...params, extra: false, page: 1, ll: viewportOf(box), within }, signal);
    } catch (error) {
      if (error instanceof SourceFailure || signal.aborted) return undefined;
      throw error;
    }
  }
}

/** Test keys pay nothing, and every place name is the same circle to them. */
function simulatedEstimate({ area: requested }: EstimateRequest): Estimate {
  const area = readArea(requested);
  const { bounds } = createShape("place" in area ? simulatedArea : area);
  return { bounds, units: 0, businesses: null, isComplete: true };
}
