import { outlineOf } from "../geography/country.ts";
import { type Box, grownBoxes } from "../geography/points.ts";
import { memoize } from "../platform/memoize.ts";

const wholeEarth: Box = [-90, -180, 90, 180];
const countriesKept = 300;
/** Addresses name the country of places that lie a little outside of its outline. */
const borderM = 50_000;

/** Where the places of a country may lie; everywhere for one without an outline. */
export const countryBoxes = memoize((country: string): readonly Box[] => {
  const boxes = outlineOf(country).map(([ring = []]): Box => {
    const [latitudes, longitudes] = [ring.map(([, latitude]) => latitude), ring.map(([longitude]) => longitude)];
    return [Math.min(...latitudes), Math.min(...longitudes), Math.max(...latitudes), Math.max(...longitudes)];
  });
  if (boxes.length === 0) return [wholeEarth];
  const [east, west] = [boxes.filter((box) => box[1] >= 0), boxes.filter((box) => box[1] < 0)];
  return [east, west].flatMap((some) => (some.length === 0 ? [] : grownBoxes(hullOf(some), borderM)));
}, countriesKept);

function hullOf(boxes: readonly Box[]): Box {
  return [
    Math.min(...boxes.map(([south]) => south)),
    Math.min(...boxes.map(([, west]) => west)),
    Math.max(...boxes.map(([, , north]) => north)),
    Math.max(...boxes.map(([, , , east]) => east)),
  ];
}
