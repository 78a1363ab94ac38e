import type { Clock } from "../../platform/clock.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import { changedLayout, failureOfRequest, isObject, type JsonValue, readAnswer } from "./answers.ts";
import type { RequestLimiter } from "../request-limiter.ts";
import { createCache } from "./cache.ts";

/** What a name is on the map. */
export type GeocodedPlace = {
  type: "node" | "way" | "relation" | null;
  id: number | null;
  latitude: number;
  longitude: number;
  /** South, west, north, east. */
  box: readonly [number, number, number, number];
  /** A town, a boundary: something that other things lie in. */
  isArea: boolean;
};

type NominatimOptions = {
  outbound: Outbound;
  baseUrl: string;
  headers: Record<string, string>;
  limiter: RequestLimiter;
  clock: Clock;
};
type LookupOptions = { hl: string; gl?: string | undefined; limit: number };

const deadlineMs = 6000;
const bytesMax = 1024 * 1024;
/** Nominatim's operators ask not to be sent the same question again. */
const kept = { entriesMax: 1_000, ageMs: 60 * 60_000 };
/** A turn later than this leaves too little of a search's deadline for the answers. */
const patienceMs = 5000;

/** Finds out where a named place is. Nominatim's authors ask not to use it for kinds of place. */
export function createNominatim({ outbound, baseUrl, headers, limiter, clock }: NominatimOptions) {
  const answers = createCache<GeocodedPlace[]>({ clock, ...kept });

  async function find(name: string, { hl, gl, limit }: LookupOptions, signal: AbortSignal): Promise<GeocodedPlace[]> {
    const parameters = new URLSearchParams({ q: name, format: "jsonv2", limit: String(limit), "accept-language": hl });
    if (gl !== undefined) parameters.set("countrycodes", gl.toLowerCase());
    return read(parameters, signal);
  }

  async function findCountry(gl: string, hl: string, signal: AbortSignal): Promise<GeocodedPlace | undefined> {
    const parameters = new URLSearchParams({
      country: gl,
      countrycodes: gl.toLowerCase(),
      format: "jsonv2",
      limit: "1",
      "accept-language": hl,
    });
    const [country] = await read(parameters, signal);
    return country;
  }

  async function read(parameters: URLSearchParams, signal: AbortSignal): Promise<GeocodedPlace[]> {
    const url = `${baseUrl}/search?${parameters.toString()}`;
    async function ask(): Promise<GeocodedPlace[]> {
      const known = answers.get(url); // somebody had the answer while this question waited for its turn
      if (known) return known;
      const response = await outbound
        .request({
          url,
          headers,
          deadlineMs,
          bytesMax,
          signal,
          protocols: ["https:", "http:"],
          localNames: true,
          keepAlive: true,
        })
        .catch((error: unknown) => {
          throw failureOfRequest("Nominatim", error);
        });
      const answer = readAnswer("Nominatim", response, clock.now());
      if (!Array.isArray(answer)) throw changedLayout("Nominatim");
      const found = readableOf(answer);
      answers.set(url, found);
      return found;
    }

    return answers.get(url) ?? limiter.run(signal, ask, patienceMs);
  }

  return { find, findCountry };
}

/** The first is what the name most likely means, and nothing stands in for it; of the others each may be left out. */
function readableOf(answer: readonly JsonValue[]): GeocodedPlace[] {
  const read = answer.map(readFound);
  if (read.length > 0 && read[0] === undefined) throw changedLayout("Nominatim");
  return read.filter((found) => found !== undefined);
}

function readFound(value: JsonValue): GeocodedPlace | undefined {
  if (!isObject(value)) return undefined;
  const [latitude, longitude] = [degreesOf(value["lat"], 90), degreesOf(value["lon"], 180)];
  const id = idOf(value["osm_id"]);
  if (latitude === undefined || longitude === undefined || id === undefined) return undefined;
  const { boundingbox } = value;
  const [south, north, west, east] =
    boundingbox === undefined ? [latitude, latitude, longitude, longitude] : edgesOf(boundingbox);
  if (south === undefined || north === undefined || west === undefined || east === undefined) return undefined;
  const kind = value["category"] ?? value["class"];
  return {
    type: typeOf(value["osm_type"]),
    id,
    latitude,
    longitude,
    box: [south, west, north, east],
    isArea: kind === "place" || kind === "boundary",
  };
}

/** A number, or a text that is one; undefined for anything else, since `Number(null)` is a place too. */
function degreesOf(value: JsonValue | undefined, max: number): number | undefined {
  const isNumeric = typeof value === "number" || (typeof value === "string" && /^[+-]?\d/.test(value));
  const degrees = isNumeric ? Number(value) : Number.NaN;
  return Math.abs(degrees) <= max ? degrees : undefined;
}

/** South, north, west, east. A box around a point near the edge of the map reaches beyond it, and is cut there. */
function edgesOf(value: JsonValue): (number | undefined)[] {
  if (!Array.isArray(value) || value.length !== 4) return [];
  return value.map((edge, index) => {
    const max = index < 2 ? 90 : 180;
    const degrees = degreesOf(edge, 2 * max);
    return degrees === undefined ? undefined : Math.min(Math.max(degrees, -max), max);
  });
}

/** Older servers write ids as text; what has none, such as a postcode, is no element of the map. */
function idOf(value: JsonValue | undefined): number | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  return /^\d{1,15}$/.test(`${value}`) ? Number(value) : undefined;
}

function typeOf(value: JsonValue | undefined): GeocodedPlace["type"] {
  return value === "node" || value === "way" || value === "relation" ? value : null;
}
