import { setImmediate } from "node:timers/promises";
import type { KnownArea } from "../../../gazetteer/known-area.ts";
import { distanceM, type Point } from "../../../geography/points.ts";
import { languagesOf } from "../../../places/render/render.ts";
import { memoizeByObject } from "../../../platform/memoize.ts";
import { phraseOf } from "../../../text/words.ts";
import { radiusOf } from "../../../query/names.ts";

/** A known area with its names in other languages, as JSON: most are never shown. */
export type AddressArea = KnownArea & { namesByLanguage: string | null };

/** Parts of an address; undefined where nothing tells. */
export type AreaAddress = Record<"city" | "municipality" | "region", string | undefined>;

type Addressed = Point & { address: { city: string | null; region: string | null } };
type Where = { areas: readonly string[]; countryCode: string };

/** What the areas of the imports say of the places in them. */
export async function createAddresses(known: readonly AddressArea[]) {
  const byId = new Map<string, AddressArea>();
  const settlements = new Map<string, AddressArea[]>();
  for (const [index, area] of known.entries()) {
    if (index % areasAtOnce === areasAtOnce - 1) await setImmediate();
    byId.set(area.sourceId, area);
    if (settlementKinds.has(area.kind)) add(settlements, tileOf(area.latitude, area.longitude), area);
  }

  /**
   * The city and region that a place's own address names, or else the areas that it lies in, called as in a language;
   * where none names a city, the island or the nearest town.
   */
  function addressAt(place: Addressed, { areas, countryCode }: Where, hl: string): AreaAddress {
    const chain = areas.flatMap((id) => byId.get(id) ?? []);
    const settled = chain.filter(({ kind }) => settlementKinds.has(kind));
    const regions = chain.filter(({ kind, level }) => kind === "region" && level !== null);
    const region = regionLevels.map((wanted) => regions.find(({ level }) => level === wanted)).find(Boolean);
    const municipality = settled.find(({ level }) => level !== null);
    const own = place.address;
    const city = () => settled.at(-1) ?? townOn(chain.findLast(isIsland), place, countryCode);
    return {
      city: own.city ? sameIn(settled, own.city, hl) : nameIn(city(), hl),
      municipality: nameIn(municipality, hl),
      region: own.region ? sameIn(regions, own.region, hl) : nameIn(region, hl),
    };
  }

  /** The town nearby; on an island without one the island itself, since another island's town is across the water. */
  function townOn(island: AddressArea | undefined, place: Point, countryCode: string): AddressArea | undefined {
    const town = townAt(place, countryCode);
    return island && !(town && isIn(town, island)) ? island : town;
  }

  /** The town a place without an address most likely belongs to: the one it lies deepest in the reach of. */
  function townAt({ latitude, longitude }: Point, countryCode: string): AddressArea | undefined {
    let best: { area: AddressArea; depth: number } | undefined;
    for (const tile of tilesAround(latitude, longitude)) {
      for (const area of settlements.get(tile) ?? []) {
        if (countryCode !== "" && area.countryCode !== null && area.countryCode !== countryCode) continue;
        const away = distanceM(latitude, longitude, area.latitude, area.longitude);
        const depth = away / radiusOf({ ...area, box: null });
        if (depth <= reachMax && (!best || depth < best.depth)) best = { area, depth };
      }
    }
    return best?.area;
  }

  return { addressAt, knows: (id: string) => byId.has(id) };
}

/** What an area is called in a language, or in a broader one; its own name where it has no other there. */
function nameIn(area: AddressArea | undefined, hl: string): string | undefined {
  if (!area || area.namesByLanguage === null) return area?.name;
  const names = parsedNames(area);
  for (const tag of languagesOf(hl)) if (names.has(tag)) return names.get(tag);
  return area.name;
}

/** A name of one of these areas as a language has it; a name of none of them stays. */
function sameIn(areas: readonly AddressArea[], name: string, hl: string): string {
  const phrase = phraseOf(name);
  const area = areas.findLast(({ names, namesByLanguage }) => namesByLanguage !== null && names.includes(phrase));
  const named = nameIn(area, hl);
  return named === undefined || named === area?.name ? name : named;
}

const parsedNames = memoizeByObject(
  ({ namesByLanguage }: AddressArea) => new Map(Object.entries<string>(JSON.parse(namesByLanguage ?? "{}"))),
);

/** Islands are regions without a level, like other landscapes, which are larger. */
function isIsland({ kind, level, box }: AddressArea): boolean {
  return kind === "region" && level === null && box !== null && distanceM(box[0], box[1], box[2], box[3]) <= islandMaxM;
}

const islandMaxM = 30_000;

function isIn({ latitude, longitude }: Point, { box }: AddressArea): boolean {
  if (box === null) return false;
  return latitude >= box[0] && latitude <= box[2] && longitude >= box[1] && longitude <= box[3];
}

export type Addresses = Awaited<ReturnType<typeof createAddresses>>;

const bytesPerArea = 300;
const bytesPerName = 90;

/** The first of the areas, as many as the memory holds, and about how much they take. */
export function fitting(
  areas: readonly AddressArea[],
  bytesMax: number,
): { areas: readonly AddressArea[]; bytes: number } {
  let bytes = 0;
  for (const [index, { names, namesByLanguage }] of areas.entries()) {
    const more =
      bytesPerArea +
      2 * (namesByLanguage?.length ?? 0) +
      names.reduce((sum, name) => sum + bytesPerName + 2 * name.length, 0);
    if (bytes + more > bytesMax) return { areas: areas.slice(0, index), bytes };
    bytes += more;
  }
  return { areas, bytes };
}

function add(areas: Map<string, AddressArea[]>, key: string, area: AddressArea): void {
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
