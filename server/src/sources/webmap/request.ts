import type { SourceQuery } from "../source.ts";
import { listingsMax } from "../source.ts";
import type { Point } from "./envelope.ts";

const metersPerPixelAtZoomZero = 156_543.03;
/** The window that the map fills, in pixels each way. */
const viewportPixels = 1024;
const detailZoom = 17;

/** Where the map's camera is to stand, and how much it shows. */
export type Camera = Point & { diameterM: number };

/** Reads `@47.14,9.52,14z`; undefined when it is not of that form. */
export function cameraOf(ll: string): Camera | undefined {
  const [, latitude, longitude, zoom] = /^@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?),(\d{1,2})z$/.exec(ll.trim()) ?? [];
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined;
  return cameraAt({ latitude: Number(latitude), longitude: Number(longitude) }, Number(zoom));
}

function cameraAt({ latitude, longitude }: Point, zoom: number): Camera {
  const metersPerPixel = (metersPerPixelAtZoomZero * Math.cos((latitude * Math.PI) / 180)) / 2 ** zoom;
  // At the poles the formula shows nothing at all.
  return { latitude, longitude, diameterM: Math.max(1, metersPerPixel * viewportPixels) };
}

/** The address of one page of results. */
export function searchUrl(base: string, { q, page, hl, gl, ll }: SourceQuery): string {
  const camera = ll === undefined ? undefined : cameraOf(ll);
  const view = camera ? `!4m12${cameraText(camera)}` : "";
  const pb = `${view}!7i${listingsMax}!8i${listingsMax * (page - 1)}!10b1`;
  return `${base}/search?${parameters({ tbm: "map", hl, gl, q: q.toWellFormed() })}&pb=${pb}`;
}

/** The address of a place's details. */
export function detailUrl(
  base: string,
  place: { dataId: string; name: string | null; location: Point | null },
  { hl, gl }: Pick<SourceQuery, "hl" | "gl">,
): string {
  const { dataId, name, location } = place;
  const where = location
    ? `!1m17!1s${dataId}!3m12${cameraText(cameraAt(location, detailZoom))}!4m2!3d${location.latitude}!4d${location.longitude}`
    : `!1m1!1s${dataId}`;
  return `${base}/maps/preview/place?${parameters({ hl, gl, q: name ?? undefined })}&pb=${where}`;
}

/** Twelve values: center and diameter, rotation, size, field of view. */
function cameraText({ latitude, longitude, diameterM }: Camera): string {
  const center = `!1m3!1d${diameterM.toFixed(3)}!2d${longitude}!3d${latitude}`;
  return `${center}!2m3!1f0!2f0!3f0!3m2!1i${viewportPixels}!2i${viewportPixels}!4f13.1`;
}

function parameters(given: Record<string, string | undefined>): string {
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams([["authuser", "0"], ...entries]).toString();
}
