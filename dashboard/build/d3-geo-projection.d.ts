declare module "d3-geo-projection" {
  import type { GeoProjection } from "d3-geo";
  /** Projects a shape onto the plane, cutting it where the projection does. */
  export function geoProject(shape: object, projection: GeoProjection): object;
}
