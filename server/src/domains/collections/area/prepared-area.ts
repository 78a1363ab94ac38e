import type { Box } from "../../../geography/points.ts";
import { quartersOf } from "../cells.ts";
import type { Area, RequestedArea } from "./area.ts";
import { readArea } from "./read-area.ts";
import { createShape } from "./shape.ts";

/** What a new collection keeps of its area, and begins with. */
export type PreparedArea = {
  /** The area on the map, as it is stored. */
  geometryText: string;
  bounds: Box[];
  /** The quarters of each of the bounds, as far as they touch the area. */
  quarters: Box[][];
};

/** An area as a client names it: prepared, or the name of a place that a source has to look up. */
export type ReadArea = { areaText: string } & (
  | { drawn: PreparedArea; place?: undefined }
  | { drawn?: undefined; place: string }
);

export function readRequestedArea(requested: RequestedArea): ReadArea {
  const area = readArea(requested);
  const areaText = JSON.stringify(requested);
  return "place" in area ? { areaText, place: area.place } : { areaText, drawn: prepareArea(area) };
}

export function prepareArea(area: Area): PreparedArea {
  const { bounds, touches } = createShape(area);
  return {
    geometryText: JSON.stringify(area),
    bounds,
    quarters: bounds.map((box) => quartersOf(box).filter(touches)),
  };
}
