import type { Box } from "../../geography/points.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import { listingsMax, pagesMax, type Source, SourceFailure, type SourcePage } from "../../sources/source.ts";
import type { Principal } from "../api-keys/index.ts";
import { rehearseError } from "../search/index.ts";
import { locate, pickSource } from "./area/look-up.ts";
import { readArea } from "./area/read-area.ts";
import type { Shape } from "./area/area.ts";
import { createShape } from "./area/shape.ts";
import { quartersOf, viewportOf } from "./cells.ts";
import type { Params } from "./collection.ts";
import { paramsOf } from "./create.ts";
import { CollectingUnavailable } from "./errors.ts";
import type { CollectionEstimate, EstimateCollection } from "./schema.ts";
import { simulatedArea } from "./simulation.ts";

const uncounted = { units: null, businesses: null, is_complete: false, source_as_of: null };
const searchesMax = 300;
const countingMs = 4_000;

/** The verb that counts beforehand, as collecting would: the same boxes, split the same way. It costs nothing. */
export function makeEstimate({ sources, fixtures }: { sources: SourceSelection; fixtures: Source }) {
  return async function estimate({ environment }: Principal, request: EstimateCollection): Promise<CollectionEstimate> {
    if (environment === "test") return simulatedEstimate(fixtures, request);
    const source = await pickSource(sources, paramsOf(request), request.area);
    if (!source) throw CollectingUnavailable();
    const shape = createShape(await locate(source, request));
    // Counting at somebody else's server is collecting; only our own data is counted for free.
    const counted = source.isLocal === true ? await count(source, paramsOf(request), shape) : undefined;
    return { ...(counted ?? uncounted), bounds: shape.bounds, source: source.name };
  };
}

/** Undefined when the source does not count within bounds, or has no answer in time. */
async function count(source: Source, params: Params, shape: Shape) {
  const signal = AbortSignal.timeout(countingMs);
  const boxes: Box[] = [...shape.bounds];
  let [units, businesses, searches] = [0, 0, 0];
  let asOf: string | null = null;
  for (let box = boxes.shift(); box !== undefined; box = boxes.shift()) {
    if (searches === searchesMax || signal.aborted) return result(false);
    searches += 1;
    const found = await countIn(box);
    if (found?.matching === undefined) return signal.aborted ? result(false) : undefined;
    const { listings, matching, verdict } = found;
    for (const { observedAt } of listings) if (asOf === null || observedAt > asOf) asOf = observedAt;
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
  return result(true);

  function result(isComplete: boolean) {
    return { units, businesses, is_complete: isComplete, source_as_of: asOf };
  }

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
function simulatedEstimate({ name: source }: Source, { q, area: requested }: EstimateCollection): CollectionEstimate {
  rehearseError(q, "/q");
  const area = readArea(requested);
  const { bounds } = createShape("place" in area ? simulatedArea : area);
  return { units: 0, businesses: null, is_complete: true, bounds, source, source_as_of: null };
}
