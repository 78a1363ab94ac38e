export type Point = { latitude: number; longitude: number };

/** South, west, north, east, in degrees; never across the antimeridian. */
export type Box = readonly [number, number, number, number];
/** Polygons of rings, each position a longitude and a latitude, as GeoJSON has them. */
export type Polygons = readonly (readonly (readonly (readonly [number, number])[])[])[];

export const earthRadiusM = 6_371_008.8;
export const degreeM = (Math.PI * earthRadiusM) / 180;
const radians = Math.PI / 180;

export function distanceM(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const sinLatitude = Math.sin(((latitudeB - latitudeA) * radians) / 2);
  const sinLongitude = Math.sin(((longitudeB - longitudeA) * radians) / 2);
  const chord =
    sinLatitude * sinLatitude +
    Math.cos(latitudeA * radians) * Math.cos(latitudeB * radians) * sinLongitude * sinLongitude;
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Eight points around another, at a distance in degrees of latitude. */
export function pointsAround(latitude: number, longitude: number, degrees: number): Point[] {
  const widening = 1 / Math.cos(Math.min(89, Math.abs(latitude)) * radians);
  return Array.from({ length: 8 }, (_, eighth) => {
    const angle = (eighth * Math.PI) / 4;
    const north = Math.min(90, Math.max(-90, latitude + degrees * Math.cos(angle)));
    const east = longitude + degrees * widening * Math.sin(angle);
    return { latitude: north, longitude: ((((east + 180) % 360) + 360) % 360) - 180 };
  });
}

/** The boxes that hold a circle: two where it crosses the antimeridian, a whole band where it holds a pole. */
export function boxesAround({ latitude, longitude }: Point, radiusM: number): Box[] {
  const dLatitude = radiusM / degreeM;
  const south = Math.max(-90, latitude - dLatitude);
  const north = Math.min(90, latitude + dLatitude);
  if (latitude - dLatitude <= -90 || latitude + dLatitude >= 90) return [[south, -180, north, 180]];
  const ratio = Math.sin(radiusM / earthRadiusM) / Math.cos(latitude * radians);
  if (ratio >= 1) return [[south, -180, north, 180]];
  const dLongitude = Math.asin(ratio) / radians;
  return splitBox(south, longitude - dLongitude, north, longitude + dLongitude);
}

/** A box grown by a margin on each side. One that came in with west above east spans the antimeridian. */
export function grownBoxes([south, west, north, east]: Box, marginM: number): Box[] {
  const dLatitude = marginM / degreeM;
  const lower = Math.max(-90, south - dLatitude);
  const upper = Math.min(90, north + dLatitude);
  const narrowest = Math.cos(Math.min(89, Math.max(Math.abs(lower), Math.abs(upper))) * radians);
  const dLongitude = dLatitude / narrowest;
  return splitBox(lower, west - dLongitude, upper, (west > east ? east + 360 : east) + dLongitude);
}

/** What lies in both boxes; undefined when nothing does. */
export function intersectionOf(one: Box, other: Box): Box | undefined {
  const [south, west] = [Math.max(one[0], other[0]), Math.max(one[1], other[1])];
  const [north, east] = [Math.min(one[2], other[2]), Math.min(one[3], other[3])];
  return south <= north && west <= east ? [south, west, north, east] : undefined;
}

export function middleOf([south, west, north, east]: Box): Point {
  const longitude = (west + (west > east ? east + 360 : east)) / 2;
  return { latitude: (south + north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude };
}

/** How much of the map a screen of 512 points at this zoom shows to each side, within reason. */
export function radiusOfZoom(latitude: number, zoom: number): number {
  const radius = ((156_543 * Math.cos(latitude * radians)) / 2 ** zoom) * 512;
  return Math.min(200_000, Math.max(300, radius));
}

/** Reads `@47.14,9.52,14z`; undefined when it is not of that form. */
export function parseViewport(ll: string): { center: Point; radiusM: number } | undefined {
  const [, latitude, longitude, zoom] = /^@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?),(\d{1,2})z$/.exec(ll.trim()) ?? [];
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined;
  const center = { latitude: Number(latitude), longitude: Number(longitude) };
  if (Math.abs(center.latitude) > 90 || Math.abs(center.longitude) > 180) return undefined;
  return { center, radiusM: radiusOfZoom(center.latitude, Number(zoom)) };
}

export function splitBox(south: number, west: number, north: number, east: number): Box[] {
  if (east - west >= 360) return [[south, -180, north, 180]];
  if (west < -180)
    return [
      [south, west + 360, north, 180],
      [south, -180, north, east],
    ];
  if (east > 180)
    return [
      [south, west, north, 180],
      [south, -180, north, east - 360],
    ];
  return [[south, west, north, east]];
}
