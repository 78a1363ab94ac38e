import { setImmediate } from "node:timers/promises";
import type { KnownArea } from "../../../gazetteer/known-area.ts";
import { distanceM, type Point } from "../../../geography/points.ts";
import { radiusOf } from "../../../query/names.ts";

/** Parts of an address; undefined where nothing tells. */
export type AreaAddress = Record<"city" | "municipality" | "region", string | undefined>;

type Addressed = Point & { address: { city: string | null } };

/** What the areas of the imports say of the places in them. */
export async function createAddresses(known: readonly KnownArea[]) {
  const byId = new Map<string, KnownArea>();
  const settlements = new Map<string, KnownArea[]>();
  for (const [index, area] of known.entries()) {
    if (index % areasAtOnce === areasAtOnce - 1) await setImmediate();
    byId.set(area.sourceId, area);
    if (settlementKinds.has(area.kind)) add(settlements, tileOf(area.latitude, area.longitude), area);
  }

  /** What the areas that a place lies in add to its address; where they and the address name no city, the nearest town. */
  function addressAt(place: Addressed, areaIds: readonly string[], countryCode: string): AreaAddress {
    const townNearby = () => (place.address.city ? undefined : townAt(place, countryCode));
    if (areaIds.length === 0) return { city: townNearby(), municipality: undefined, region: undefined };
    const chain = areaIds.flatMap((id) => byId.get(id) ?? []);
    const settled = chain.filter(({ kind }) => settlementKinds.has(kind));
    const regions = chain.filter(({ kind, level }) => kind === "region" && level !== null);
    const region = regionLevels.map((wanted) => regions.find(({ level }) => level === wanted)).find(Boolean);
    return {
      city: settled.at(-1)?.name ?? townNearby(),
      municipality: settled.find(({ level }) => level !== null)?.name,
      region: region?.name,
    };
  }

  /** The town a place without an address most likely belongs to: the one it lies deepest in the reach of. */
  function townAt({ latitude, longitude }: Point, countryCode: string): string | undefined {
    let best: { name: string; depth: number } | undefined;
    for (const tile of tilesAround(latitude, longitude)) {
      for (const area of settlements.get(tile) ?? []) {
        if (countryCode !== "" && area.countryCode !== null && area.countryCode !== countryCode) continue;
        const away = distanceM(latitude, longitude, area.latitude, area.longitude);
        const depth = away / radiusOf({ ...area, box: null });
        if (depth <= reachMax && (!best || depth < best.depth)) best = { name: area.name, depth };
      }
    }
    return best?.name;
  }

  return { addressAt, knows: (id: string) => byId.has(id) };
}

export type Addresses = Awaited<ReturnType<typeof createAddresses>>;

const bytesPerArea = 300;
const bytesPerName = 90;

/** The first of the areas, as many as the memory holds, and about how much they take. */
export function fitting(areas: readonly KnownArea[], bytesMax: number): { areas: readonly KnownArea[]; bytes: number } {
  let bytes = 0;
  for (const [index, { names }] of areas.entries()) {
    const more = bytesPerArea + names.reduce((sum, name) => sum + bytesPerName + 2 * name.length, 0);
    if (bytes + more > bytesMax) return { areas: areas.slice(0, index), bytes };
    bytes += more;
  }
  return { areas, bytes };
}

function add(areas: Map<string, KnownArea[]>, key: string, area: KnownArea): void {
  const list = areas.get(key);
  if (list) list.push(area);
  else areas.set(key, [area]);
}

/** Searches go on between them. */
const areasAtOnce = 2_000;

/** The unit of the first level below a country that most countries have is what an address calls its region. */
const regionLevels = [4, 5, 6, 3, 7, 8];

/** A place this many times a town's radius from its middle is not of the town. */
const reachMax = 2;
const settlementKinds = new Set<KnownArea["kind"]>(["city", "town", "village"]);

function* tilesAround(latitude: number, longitude: number): Iterable<string> {
  for (const north of [-tileDegrees, 0, tileDegrees]) {
    for (const east of [-tileDegrees, 0, tileDegrees]) yield tileOf(latitude + north, longitude + east);
  }
}

/** A quarter of a degree: wider than a town reaches, away from the poles. */
const tileDegrees = 0.25;

function tileOf(latitude: number, longitude: number): string {
  return `${Math.floor(latitude / tileDegrees)} ${Math.floor(longitude / tileDegrees)}`;
}
