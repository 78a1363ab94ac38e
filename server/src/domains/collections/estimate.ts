import type { Box } from "../../geography/points.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import { listingsMax, pagesMax, type Source, SourceFailure, type SourcePage } from "../../sources/source.ts";
import { threadMs } from "../../platform/thread-time.ts";
import type { CostLimit, Principal } from "../api-keys/index.ts";
import { rehearseError } from "../search/index.ts";
import type { AreaReader } from "./area/area-reader.ts";
import { locate, pickSource } from "./area/look-up.ts";
import type { PreparedArea } from "./area/prepared-area.ts";
import type { Area, Shape } from "./area/area.ts";
import { createShape } from "./area/shape.ts";
import { quartersOf, viewportOf } from "./cells.ts";
import type { Params } from "./collection.ts";
import { paramsOf } from "./create.ts";
import { CollectingUnavailable } from "./errors.ts";
import type { CollectionEstimate, EstimateCollection } from "./schema.ts";
import { simulatedPlace } from "./simulation.ts";

const uncounted = { units: null, businesses: null, is_complete: false, source_as_of: null };
const searchesMax = 300;
const countingMs = 4_000;

type EstimateDeps = {
  sources: SourceSelection;
  fixtures: Source;
  areas: Pick<AreaReader, "read" | "prepare">;
  costs: CostLimit;
};

/** The verb that counts beforehand, as collecting would: the same boxes, split the same way. It costs no unit. */
export function makeEstimate({ sources, fixtures, areas, costs }: EstimateDeps) {
  return async function estimate(principal: Principal, request: EstimateCollection): Promise<CollectionEstimate> {
    const isTest = principal.environment === "test";
    if (isTest) rehearseError(request.q, "/q");
    const read = await areas.read(principal, request);
    if (isTest) return simulatedEstimate(fixtures, read.drawn ?? (await simulatedPlace(fixtures, read.place, request)));
    const source = await pickSource(sources, paramsOf(request), read);
    if (!source) throw CollectingUnavailable();
    const { bounds, geometryText } =
      read.drawn ?? (await areas.prepare(principal, await locate(source, read.place, request)));
    const frame = { bounds, source: source.name };
    // Counting at somebody else's server is collecting; only our own data is counted for free.
    if (source.isLocal !== true) return { ...uncounted, ...frame };
    const began = threadMs();
    try {
      const shape = createShape(JSON.parse(geometryText) as Area);
      return { ...((await count(source, paramsOf(request), shape)) ?? uncounted), ...frame };
    } finally {
      costs.spend(principal.organizationId, threadMs() - began);
    }
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
    await shape.prepare?.(box);
    const within = { box, contains: shape.contains, ...(shape.id === undefined ? {} : { area: shape.id }) };
    try {
      return await source.search({ ...params, extra: false, page: 1, ll: viewportOf(box), within }, signal);
    } catch (error) {
      if (error instanceof SourceFailure || signal.aborted) return undefined;
      throw error;
    }
  }
}

/** Test keys pay nothing, and every place name is the same circle to them. */
function simulatedEstimate({ name: source }: Source, { bounds }: PreparedArea): CollectionEstimate {
  return { units: 0, businesses: null, is_complete: true, bounds, source, source_as_of: null };
}
