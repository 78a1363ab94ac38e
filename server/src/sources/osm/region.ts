import { parseViewport } from "../../geography/points.ts";
import type { GeocodedPlace } from "./nominatim.ts";
import type { Region } from "./overpass-query.ts";

/** The widest region that a public Overpass answers. */
const metersMax = 50_000;
const boxDegreesMin = 0.02;
const boxDegreesMax = 1.5;

/** What a map shows at `@latitude,longitude,zoomz`; undefined when the text is none. */
export function regionOfView(ll: string): Extract<Region, { kind: "around" }> | undefined {
  const view = parseViewport(ll);
  return view && { kind: "around", ...view.center, meters: Math.round(Math.min(view.radiusM, metersMax)) };
}

/** Where to look for things in a place: within its boundary, else its box; in a large one, around its center. */
export function regionOfFound(found: GeocodedPlace): Region {
  const [south, west, north, east] = found.box;
  const isLarge = north - south > boxDegreesMax || Math.abs(east - west) > boxDegreesMax;
  if (isLarge) return { kind: "around", latitude: found.latitude, longitude: found.longitude, meters: metersMax };
  if (found.type === "relation" && found.id !== null) return { kind: "area", relationId: found.id };
  return { kind: "box", box: boxOfFound(found) };
}

/** The box of a place, at least so large that it holds something. */
export function boxOfFound({ box: [south, west, north, east] }: GeocodedPlace): GeocodedPlace["box"] {
  const rows = Math.max(0, (boxDegreesMin - (north - south)) / 2);
  const columns = Math.max(0, (boxDegreesMin - (east - west)) / 2);
  return [
    Math.max(-90, south - rows),
    Math.max(-180, west - columns),
    Math.min(90, north + rows),
    Math.min(180, east + columns),
  ];
}
