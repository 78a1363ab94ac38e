export { areaOf, kindOf, type Outline } from "./read-area.ts";
export type { OsmElement } from "./element.ts";
export { recordOf } from "./read-place.ts";
