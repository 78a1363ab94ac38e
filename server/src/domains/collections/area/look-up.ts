import type { SourceSelection } from "../../../sources/selection.ts";
import { type Source, SourceFailure } from "../../../sources/source.ts";
import { viewportOf } from "../cells.ts";
import type { Params } from "../collection.ts";
import { AreaInvalid, PlaceLookupFailed } from "../errors.ts";
import type { Area, RequestedArea } from "./area.ts";
import { readArea } from "./read-area.ts";
import { createShape } from "./shape.ts";

const lookupMs = 10_000;

/** The source to collect an area from: one that has data of it, where there is one. */
export async function pickSource(
  sources: SourceSelection,
  params: Params,
  requested: RequestedArea,
): Promise<Source | undefined> {
  const area = readArea(requested);
  if ("place" in area) return sources.pick("search", { ...params, q: area.place, page: 1 });
  const [box] = createShape(area).bounds;
  return sources.pick("search", { ...params, page: 1, ...(box ? { ll: viewportOf(box) } : {}) });
}

/** The area of a request on the map; a place is looked up at the source. */
export async function locate(
  source: Source,
  { area: requested, hl = "en", gl }: { area: RequestedArea; hl?: string; gl?: string },
): Promise<Area> {
  const area = readArea(requested);
  if (!("place" in area)) return area;
  if (!source.findArea) {
    throw unknownPlace("cannot be looked up with the source in use; send a bbox, circle or polygon");
  }
  const signal = AbortSignal.timeout(lookupMs);
  const found = await source
    .findArea(area.place, { hl, ...(gl === undefined ? {} : { gl }) }, signal)
    .catch((error: unknown) => {
      if (!(error instanceof SourceFailure) && !signal.aborted) throw error;
      throw PlaceLookupFailed(undefined, { retryAfterSeconds: 5, cause: error });
    });
  if (!found)
    throw unknownPlace("must be a town, region or country that the source knows; or send a bbox, circle or polygon");
  return found.kind === "box" ? { kind: "boxes", boxes: [found.box] } : found;
}

function unknownPlace(rule: string) {
  return AreaInvalid(undefined, { details: [`/area/place: ${rule}`] });
}
