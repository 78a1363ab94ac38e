import type { SourceSelection } from "../../../sources/selection.ts";
import { type Source, SourceFailure } from "../../../sources/source.ts";
import { viewportOf } from "../cells.ts";
import type { Params } from "../collection.ts";
import { AreaInvalid, PlaceLookupFailed } from "../errors.ts";
import type { Area } from "./area.ts";
import type { ReadArea } from "./prepared-area.ts";

const lookupMs = 10_000;

/** The source to collect an area from: one that has data of it, where there is one. */
export async function pickSource(
  sources: SourceSelection,
  params: Params,
  { place, drawn }: ReadArea,
): Promise<Source | undefined> {
  if (place !== undefined) return sources.pick("search", { ...params, q: place, page: 1 });
  const [box] = drawn.bounds;
  return sources.pick("search", { ...params, page: 1, ...(box ? { ll: viewportOf(box) } : {}) });
}

/** The area of a place, looked up at the source. */
export async function locate(
  source: Source,
  place: string,
  { hl = "en", gl }: { hl?: string; gl?: string },
): Promise<Area> {
  if (!source.findArea) {
    throw unknownPlace("cannot be looked up with the source in use; send a bbox, circle or polygon");
  }
  const signal = AbortSignal.timeout(lookupMs);
  const found = await source
    .findArea(place, { hl, ...(gl === undefined ? {} : { gl }) }, signal)
    .catch((error: unknown) => {
      if (!(error instanceof SourceFailure) && !signal.aborted) throw error;
      const advice = error instanceof SourceFailure ? error.advice : undefined;
      throw PlaceLookupFailed({ advice }, { retryAfterSeconds: 5, cause: error });
    });
  if (!found)
    throw unknownPlace("must be a town, region or country that the source knows; or send a bbox, circle or polygon");
  if (found.kind !== "box") return found;
  return { kind: "boxes", boxes: [found.box], ...(found.id === undefined ? {} : { id: found.id }) };
}

function unknownPlace(rule: string) {
  return AreaInvalid(undefined, { details: [`/area/place: ${rule}`] });
}
