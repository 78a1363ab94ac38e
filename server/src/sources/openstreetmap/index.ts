export { areaOf, kindOf } from "./area.ts";
export type { OsmElement } from "./element.ts";
export { recordOf } from "./record.ts";
