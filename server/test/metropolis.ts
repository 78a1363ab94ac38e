import type { PlaceRecord } from "../src/places/record.ts";
import type { Source, SourceQuery } from "../src/sources/source.ts";
import { listingsMax } from "../src/sources/source.ts";
import { aPlace } from "./place.ts";

export type Spot = { name: string; latitude: number; longitude: number };

/** The same businesses in every run: dense centers, suburbs, and a thin spread over the whole box. */
export function metropolis(count: number, seed = 7): Spot[] {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centers = Array.from({ length: 12 }, () => ({
    latitude: 47.1 + random() * 0.3,
    longitude: 15.2 + random() * 0.45,
    spread: 0.004 + random() * 0.03,
  }));
  return Array.from({ length: count }, (_, index) => {
    const center = centers[Math.floor(random() ** 1.5 * centers.length)];
    const isCentral = center && random() < 0.85;
    const latitude = isCentral ? center.latitude + normal() * center.spread : 47.05 + random() * 0.4;
    const longitude = isCentral ? center.longitude + normal() * center.spread * 1.4 : 15.15 + random() * 0.55;
    return { name: `Dentist ${index}`, latitude: round(latitude), longitude: round(longitude) };
  });
}

/** A crooked outline over most of the metropolis, with a hole. */
export const outline = {
  type: "Polygon",
  coordinates: [
    [
      [15.2, 47.1],
      [15.45, 47.06],
      [15.66, 47.18],
      [15.6, 47.24],
      [15.64, 47.38],
      [15.4, 47.33],
      [15.3, 47.42],
      [15.18, 47.3],
      [15.24, 47.2],
      [15.2, 47.1],
    ],
    [
      [15.35, 47.2],
      [15.35, 47.22],
      [15.39, 47.22],
      [15.39, 47.2],
      [15.35, 47.2],
    ],
  ],
};

/** Inside the outline, by another way than the service's own: the winding of each ring around the point. */
export function isInOutline({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  const winds = outline.coordinates.map((ring) => {
    let angle = 0;
    for (let index = 1; index < ring.length; index += 1) {
      const [x1 = 0, y1 = 0] = ring[index - 1] ?? [];
      const [x2 = 0, y2 = 0] = ring[index] ?? [];
      const [ax, ay, bx, by] = [x1 - longitude, y1 - latitude, x2 - longitude, y2 - latitude];
      angle += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return Math.abs(angle) > Math.PI;
  });
  return winds[0] === true && winds[1] === false;
}

/** The same businesses as records of a catalog. */
export function asRecords(spots: readonly Spot[]): { place: PlaceRecord }[] {
  return spots.map(({ name, latitude, longitude }, index) => ({
    place: {
      sourceId: `osm:n${index + 1}`,
      name,
      namesByLanguage: {},
      otherNames: [],
      categories: ["amenity/dentist"],
      categoryLabels: [],
      latitude,
      longitude,
      address: { street: null, city: null, region: null, postalCode: null, countryCode: "AT" },
      details: {},
    },
  }));
}

/** A source that only knows where its camera points: it lists what is nearest, however far, on ten pages. */
export function cameraSource(spots: readonly Spot[]): Source {
  const places = spots.map(({ name, ...location }, index) => aPlace({ placeId: `spot:${index}`, name, location }));
  return {
    name: "camera",
    async search({ ll = "", page }: SourceQuery) {
      const [latitude = 0, longitude = 0] = ll.slice(1).split(",").map(Number);
      const away = (place: (typeof places)[number]) =>
        ((place.location?.latitude ?? 0) - latitude) ** 2 +
        (((place.location?.longitude ?? 0) - longitude) * 0.68) ** 2;
      const nearest = places.toSorted((a, b) => away(a) - away(b));
      const listings = nearest.slice((page - 1) * listingsMax, page * listingsMax);
      return { listings, verdict: listings.length > 0 ? "ok" : "empty" };
    },
  };
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Marsaglia's xorshift, so that every run has the same numbers. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
