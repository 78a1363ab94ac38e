import { setImmediate } from "node:timers/promises";
import { countryNamed, isFurtherName } from "../../query/countries.ts";
import type { Gazetteer } from "../../../gazetteer/gazetteer.ts";
import { nameWithoutUnit, plainAreaName, shortAreaName, withSaint } from "../../../gazetteer/area-names.ts";
import { type Box, distanceM, middleOf, type Point } from "../../../geography/points.ts";
import { townReachM } from "./coverage.ts";
import type { Where } from "./region.ts";
import type { KnownArea } from "../../../gazetteer/known-area.ts";
import { splitState } from "../../../gazetteer/towns/states.ts";
import { transliterations } from "../../../text/transliterate.ts";
import { bitsOf, editDistance, letterSet, typosAllowed, typosBetween } from "../../../text/edit-distance.ts";

/** What decides between areas of one name. */
export type Preference = { near: Point | null; countryCode: string | null };

/** An area by name, and whether it is one of the imports' own or a country, not just a town somewhere in the world. */
export type FoundArea = {
  where: Where;
  isOwn: boolean;
  /** A town of the world so small, and so far from every place, that a misspelled town of an import is likelier. */
  isUnlikely?: boolean;
  /** A town of the world among places of the catalog. */
  isCovered?: boolean;
  countryCode: string | null;
  /** Where else a town of the world has the name, those among places of the catalog first. */
  namesakes?: readonly Where[];
};

/** Where the catalog has places. */
export type Covered = { point(point: Point, reachM?: number): boolean; country(countryCode: string): boolean };

/** Parts of an address; undefined where nothing tells. */
export type AreaAddress = Record<"city" | "municipality" | "region", string | undefined>;

type Addressed = Point & { address: { city: string | null } };

/** A name that countries and their capitals share means the country, which holds both. */
const kindsBySize: readonly KnownArea["kind"][] = ["country", "city", "town", "region", "village", "suburb"];

/**
 * The areas that the *where* of a query can name: those of the imports, then countries, then the world's towns and
 * the states of the United States, of which those where the catalog has places come first.
 */
export async function createAreas(known: readonly KnownArea[], gazetteer: Gazetteer, covered: Covered) {
  const byId = new Map<string, KnownArea>();
  const byName = new Map<string, KnownArea[]>();
  const byPlainName = new Map<string, KnownArea[]>();
  const byShortName = new Map<string, KnownArea[]>();
  const settlements = new Map<string, KnownArea[]>();
  for (const [index, area] of known.entries()) {
    if (index % areasAtOnce === areasAtOnce - 1) await setImmediate();
    const isSettlement = settlementKinds.has(area.kind);
    byId.set(area.sourceId, area);
    if (isSettlement) add(settlements, tileOf(area.latitude, area.longitude), area);
    for (const name of area.names) {
      add(byName, name, area);
      const plain = plainAreaName(name);
      if (plain !== name) add(byPlainName, plain, area);
      for (const latin of transliterations(name)) add(byPlainName, plainAreaName(latin), area);
      const short = isSettlement ? shortAreaName(name) : undefined;
      if (short !== undefined) add(byShortName, short, area);
      const bare = area.kind === "country" ? undefined : nameWithoutUnit(name);
      if (bare !== undefined) add(byShortName, bare, area);
    }
  }
  let letters: { name: string; set: number }[] | undefined;

  function find(phrase: string, preference: Preference): FoundArea | undefined {
    const own = findOwn(phrase, preference);
    const state = gazetteer.stateNamed(phrase);
    if (own && !(state && isRather(state, own.where, preference))) return findRather(phrase, own, preference) ?? own;
    const inState = findInState(phrase, preference);
    return inState ?? findOfWorld([...(state ? [state] : []), ...gazetteer.townsNamed(phrase)], preference);
  }

  /** Georgia is a state where the catalog has that and not the country. */
  function isRather(state: KnownArea, where: Where, { countryCode }: Preference): boolean {
    if (where.kind !== "country" || where.countryCode === countryCode) return false;
    return countryCode === state.countryCode || (covered.point(state) && !covered.country(where.countryCode));
  }

  /** Columbia is Colombia in Romanian, and a town where the catalog has places. */
  function findRather(phrase: string, { where }: FoundArea, preference: Preference): FoundArea | undefined {
    if (where.kind !== "country" || !isFurtherName(phrase)) return undefined;
    const town = findOfWorld(gazetteer.townsNamed(phrase), preference);
    return town?.isCovered ? town : undefined;
  }

  /** "Portland Oregon", "Austin TX": of the towns of that name, those in the state. */
  function findInState(phrase: string, preference: Preference): FoundArea | undefined {
    const split = splitState(phrase);
    if (!split) return undefined;
    const contains = gazetteer.isInState(split.code);
    const isInside = ({ latitude, longitude }: Point) => contains(latitude, longitude);
    const own = choose(listKnown(split.town).filter(isInside), preference);
    if (own) return foundOwn(own);
    return findOfWorld(gazetteer.townsNamed(split.town).filter(isInside), preference);
  }

  function findOfWorld(named: readonly KnownArea[], preference: Preference): FoundArea | undefined {
    const among = named.filter(isAmongPlaces).sort(byCost(preference));
    const isCovered = among.length > 0;
    const area = choose(isCovered ? among : named, preference);
    if (!area) return undefined;
    const isUnlikely = !isCovered && area.kind !== "region" && (area.population ?? 0) < unlikelyBelow;
    const others = [...among, ...named.filter((other) => !among.includes(other))].filter((other) => other !== area);
    const namesakes = others.slice(0, namesakesMax).map(whereOf);
    return { where: whereOf(area), isOwn: false, countryCode: area.countryCode, isUnlikely, isCovered, namesakes };
  }

  function isAmongPlaces(area: KnownArea): boolean {
    return covered.point(area, area.kind === "region" ? 0 : townReachM(radiusOf(area.kind, area.population)));
  }

  /** "Austin, TX" names one area: a state behind a comma joins the part that ends with a town of it. */
  function joinState(segments: readonly (readonly string[])[]): readonly (readonly string[])[] {
    const at = segments.findIndex((words, index) => index > 0 && isStateOf(segments[index - 1] ?? [], words));
    if (at < 0) return segments;
    const joined = [...(segments[at - 1] ?? []), ...(segments[at] ?? [])];
    return [...segments.slice(0, at - 1), joined, ...segments.slice(at + 1)];
  }

  function isStateOf(before: readonly string[], words: readonly string[]): boolean {
    // With any word before it: the part must be a state and nothing else.
    if (splitState(["x", ...words].join(" "))?.town !== "x") return false;
    const counts = Array.from({ length: Math.min(townWordsMax, before.length) }, (_, index) => index + 1);
    const none = { near: null, countryCode: null };
    return counts.some((count) => findInState([...before.slice(-count), ...words].join(" "), none) !== undefined);
  }

  /** An area of the imports, or a country. */
  function findOwn(phrase: string, preference: Preference): FoundArea | undefined {
    const own = findKnown(phrase, preference);
    if (own) return foundOwn(own);
    const countryCode = countryNamed(phrase);
    return countryCode ? { where: { kind: "country", countryCode }, isOwn: true, countryCode } : undefined;
  }

  function findKnown(phrase: string, preference: Preference): KnownArea | undefined {
    return choose(listKnown(phrase), preference);
  }

  function listKnown(phrase: string): readonly KnownArea[] {
    const named = byName.get(phrase);
    if (named) return named;
    const plain = plainAreaName(phrase);
    const alike = byPlainName.get(plain);
    const full = plain === phrase ? undefined : byName.get(plain);
    if (alike || full) return [...(alike ?? []), ...(full ?? [])];
    const saint = withSaint(phrase);
    const sainted = saint === undefined ? undefined : byPlainName.get(saint);
    return byShortName.get(phrase) ?? sainted ?? [];
  }

  /** The import's own area whose name is nearest to a misspelled one, or begins with all of it. */
  function findSimilar(phrase: string, preference: Preference): FoundArea | undefined {
    if (typosAllowed(phrase.length) === 0) return undefined;
    letters ??= [...byName.keys(), ...byPlainName.keys()].map((name) => ({ name, set: letterSet(name) }));
    const plain = plainAreaName(phrase);
    const sets = [letterSet(phrase), letterSet(plain)] as const;
    let best: { name: string; edits: number } | undefined;
    for (const { name, set } of letters) {
      const allowed = typosBetween(phrase.length, name.length);
      let edits = begins(name, phrase) || begins(name, plain) ? 0.5 : allowed + 1;
      if (bitsOf(set ^ sets[0]) <= allowed * 2) edits = Math.min(edits, editDistance(phrase, name, allowed));
      if (plain !== phrase && bitsOf(set ^ sets[1]) <= allowed * 2) {
        edits = Math.min(edits, editDistance(plain, name, allowed));
      }
      if (edits <= allowed && (!best || edits < best.edits)) best = { name, edits };
    }
    return best && find(best.name, preference);
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
        const depth = away / radiusOf(area.kind, area.population);
        if (depth <= reachMax && (!best || depth < best.depth)) best = { name: area.name, depth };
      }
    }
    return best?.name;
  }

  return { find, findOwn, findSimilar, joinState, addressAt, knows: (id: string) => byId.has(id) };
}

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

/** Searches go on between them: 200,000 areas in one go held them up for 0.6 s. */
const areasAtOnce = 2_000;

const unlikelyBelow = 50_000;
const namesakesMax = 8;
const townWordsMax = 4;

/** A shorter beginning of a name says too little. */
const beginningMin = 5;

function begins(name: string, phrase: string): boolean {
  return phrase.length >= beginningMin && name.startsWith(phrase) && name[phrase.length] === " ";
}

/** The unit of the first level below a country that most countries have is what an address calls its region. */
const regionLevels = [4, 5, 6, 3, 7, 8];

export type Areas = Awaited<ReturnType<typeof createAreas>>;

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

function choose(areas: readonly KnownArea[], preference: Preference): KnownArea | undefined {
  const [first, ...rest] = areas;
  if (!first || rest.length === 0) return first;
  const [best = first] = areas.toSorted(byCost(preference));
  return outlineOf(best, areas) ?? best;
}

function byCost(preference: Preference): (a: KnownArea, b: KnownArea) => number {
  return (a, b) => costOf(a, preference) - costOf(b, preference);
}

function costOf(area: KnownArea, { near, countryCode }: Preference): number {
  const isElsewhere = countryCode !== null && area.countryCode !== countryCode;
  const away = near
    ? Math.min(20_000, distanceM(near.latitude, near.longitude, area.latitude, area.longitude) / 1e3)
    : 0;
  const isState = area.sourceId === "" && area.kind === "region";
  const size = isState ? stateCost : costOfSize(area.kind, area.population);
  return (isElsewhere ? 1e6 : 0) + away + size;
}

function costOfSize(kind: KnownArea["kind"], population: number | null): number {
  return kindsBySize.indexOf(kind) * 10 - Math.log10(1 + (population ?? 0));
}

/** New York and Washington are cities first; Nevada is no town in Missouri. */
const stateCost = costOfSize("city", 500_000);

/** Data sets have a town as a point, and once more as the boundary around it: the smallest, where it is not far larger. */
function outlineOf(area: KnownArea, namesakes: readonly KnownArea[]): KnownArea | undefined {
  if (area.shapeKey !== null || area.kind === "country") return undefined;
  const reach = radiusOf(area.kind, area.population) * outlineReachMax;
  const around = namesakes.flatMap((other) => {
    if (other.shapeKey === null || !other.box || other.kind === "country" || !holds(other.box, area)) return [];
    const radiusM = radiusOfBox(other.box);
    return other.kind === "region" && radiusM > reach ? [] : [{ other, radiusM }];
  });
  return around.sort((a, b) => a.radiusM - b.radiusM)[0]?.other;
}

const outlineReachMax = 5;

function holds([south, west, north, east]: Box, { latitude, longitude }: Point): boolean {
  const isBetween = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= south && latitude <= north && isBetween;
}

function radiusOfBox(box: Box): number {
  const middle = middleOf(box);
  return Math.max(500, distanceM(middle.latitude, middle.longitude, box[0], box[1]));
}

function foundOwn(area: KnownArea): FoundArea {
  return { where: whereOf(area), isOwn: true, countryCode: area.countryCode };
}

function whereOf(area: KnownArea): Where {
  const { kind, latitude, longitude, box, population, countryCode, shapeKey } = area;
  const center = { latitude, longitude };
  if (kind === "country" && countryCode !== null) return { kind: "country", countryCode };
  if (!box) {
    const country = countryCode === null ? {} : { countryCode };
    const ofWorld = area.sourceId === "" ? { isOfWorld: true as const } : {};
    return { kind: "circle", center, radiusM: radiusOf(kind, population), ...country, ...ofWorld };
  }
  const outline = shapeKey === null ? {} : { shapeKey, areaId: area.sourceId };
  return { kind: "box", box, center, radiusM: radiusOfBox(box), ...outline };
}

/** How far a place of which only the middle is known reaches. */
function radiusOf(kind: KnownArea["kind"], population: number | null): number {
  const byKind = { country: 300_000, region: 60_000, city: 10_000, town: 5_000, village: 2_500, suburb: 2_000 }[kind];
  if (population === null || kind === "country" || kind === "region") return byKind;
  return Math.min(30_000, Math.max(2_000, Math.sqrt(population) * 15));
}
