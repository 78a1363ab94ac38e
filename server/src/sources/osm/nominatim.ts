import type { Clock } from "../../platform/clock.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import { changedLayout, failureOfRequest, type JsonValue, readAnswer } from "./answers.ts";
import type { Gate } from "../gate.ts";

/** What a name is on the map. */
export type Found = {
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
  gate: Gate;
  clock: Clock;
};
type LookupOptions = { hl: string; gl?: string | undefined; limit: number };

const deadlineMs = 6000;
const bytesMax = 1024 * 1024;

/** Finds out where a named place is. Nominatim's authors ask not to use it for kinds of place. */
export function createNominatim({ outbound, baseUrl, headers, gate, clock }: NominatimOptions) {
  async function find(name: string, { hl, gl, limit }: LookupOptions, signal: AbortSignal): Promise<Found[]> {
    const parameters = new URLSearchParams({ q: name, format: "jsonv2", limit: String(limit), "accept-language": hl });
    if (gl !== undefined) parameters.set("countrycodes", gl.toLowerCase());
    return read(parameters, signal);
  }

  async function findCountry(gl: string, hl: string, signal: AbortSignal): Promise<Found | undefined> {
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

  async function read(parameters: URLSearchParams, signal: AbortSignal): Promise<Found[]> {
    return gate.through(signal, async () => {
      const url = `${baseUrl}/search?${parameters.toString()}`;
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
      return answer.map(readFound);
    });
  }

  return { find, findCountry };
}

function readFound(value: JsonValue): Found {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw changedLayout("Nominatim");
  const [latitude, longitude] = [Number(value["lat"]), Number(value["lon"])];
  const bounds = Array.isArray(value["boundingbox"]) ? value["boundingbox"].map(Number) : [];
  const [south = latitude, north = latitude, west = longitude, east = longitude] = bounds;
  if (![latitude, longitude, south, north, west, east].every(Number.isFinite)) throw changedLayout("Nominatim");
  const kind = value["category"] ?? value["class"];
  return {
    type: typeOf(value["osm_type"]),
    id: idOf(value["osm_id"]),
    latitude,
    longitude,
    box: [south, west, north, east],
    isArea: kind === "place" || kind === "boundary",
  };
}

/** Older servers write ids as text. */
function idOf(value: JsonValue | undefined): number | null {
  return (typeof value === "number" || typeof value === "string") && /^\d{1,15}$/.test(`${value}`)
    ? Number(value)
    : null;
}

function typeOf(value: JsonValue | undefined): Found["type"] {
  return value === "node" || value === "way" || value === "relation" ? value : null;
}
