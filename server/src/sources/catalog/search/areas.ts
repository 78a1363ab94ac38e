import { countryNamed } from "../../query/countries.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { distanceM, middleOf, type Point } from "../../geo.ts";
import type { Where } from "./region.ts";
import type { KnownArea } from "./store.ts";
import { bitsOf, editDistance, letterSet, typosAllowed } from "../../query/typos.ts";

/** What decides between areas of one name. */
export type Preference = { near: Point | null; countryCode: string | null };

/** An area by name, and whether it is one of the imports' own or a country, not just a town somewhere in the world. */
export type FoundArea = { where: Where; isOwn: boolean };

/** A name that countries and their capitals share means the country, which holds both. */
const kindsBySize: readonly KnownArea["kind"][] = ["country", "city", "town", "region", "village", "suburb"];

/**
 * The areas that the *where* of a query can name: those of the imports, then countries, then the
 * world's towns, of which those where the catalog has places come first.
 */
export function createAreas(known: readonly KnownArea[], gazetteer: Gazetteer, isCovered: (point: Point) => boolean) {
  const byName = new Map<string, KnownArea[]>();
  for (const area of known) {
    for (const name of area.names) {
      const list = byName.get(name);
      if (list) list.push(area);
      else byName.set(name, [area]);
    }
  }
  const settlements = settlementsByTile(known);
  let letters: { name: string; set: number }[] | undefined;

  function find(phrase: string, preference: Preference): FoundArea | undefined {
    const own = choose(byName.get(phrase) ?? [], preference);
    if (own) return { where: whereOf(own), isOwn: true };
    const countryCode = countryNamed(phrase);
    if (countryCode) return { where: { kind: "country", countryCode }, isOwn: true };
    const towns = gazetteer.townsNamed(phrase);
    const covered = towns.filter(isCovered);
    const town = choose(covered.length > 0 ? covered : towns, preference);
    return town && { where: whereOf(town), isOwn: false };
  }

  /** The import's own area whose name is nearest to a misspelled one. */
  function findSimilar(phrase: string, preference: Preference): FoundArea | undefined {
    const allowed = typosAllowed(phrase.length);
    if (allowed === 0) return undefined;
    letters ??= [...byName.keys()].map((name) => ({ name, set: letterSet(name) }));
    const set = letterSet(phrase);
    let best: { name: string; edits: number } | undefined;
    for (const candidate of letters) {
      if (bitsOf(candidate.set ^ set) > allowed * 2) continue;
      const edits = editDistance(phrase, candidate.name, allowed);
      if (edits <= allowed && (!best || edits < best.edits)) best = { name: candidate.name, edits };
    }
    return best && find(best.name, preference);
  }

  /** The town a place without an address most likely belongs to: the one it lies deepest in the reach of. */
  function townAt({ latitude, longitude }: Point): string | undefined {
    let best: { name: string; depth: number } | undefined;
    for (const tile of tilesAround(latitude, longitude)) {
      for (const area of settlements.get(tile) ?? []) {
        const away = distanceM(latitude, longitude, area.latitude, area.longitude);
        const depth = away / radiusOf(area.kind, area.population);
        if (depth <= reachMax && (!best || depth < best.depth)) best = { name: area.name, depth };
      }
    }
    return best?.name;
  }

  return { find, findSimilar, townAt };
}

export type Areas = ReturnType<typeof createAreas>;

/** A place this many times a town's radius from its middle is not of the town. */
const reachMax = 2;
const settlementKinds = new Set<KnownArea["kind"]>(["city", "town", "village"]);

function settlementsByTile(areas: readonly KnownArea[]): Map<string, KnownArea[]> {
  const byTile = new Map<string, KnownArea[]>();
  for (const area of areas) {
    if (!settlementKinds.has(area.kind)) continue;
    const tile = tileOf(area.latitude, area.longitude);
    const list = byTile.get(tile);
    if (list) list.push(area);
    else byTile.set(tile, [area]);
  }
  return byTile;
}

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

function choose(areas: readonly KnownArea[], { near, countryCode }: Preference): KnownArea | undefined {
  const [first, ...rest] = areas;
  if (!first || rest.length === 0) return first;
  const cost = (area: KnownArea): number => {
    const isElsewhere = countryCode !== null && area.countryCode !== countryCode;
    const away = near
      ? Math.min(20_000, distanceM(near.latitude, near.longitude, area.latitude, area.longitude) / 1e3)
      : 0;
    const size = kindsBySize.indexOf(area.kind) * 10 - Math.log10(1 + (area.population ?? 0));
    return (isElsewhere ? 1e6 : 0) + away + size;
  };
  return areas.map((area) => ({ area, cost: cost(area) })).reduce((a, b) => (b.cost < a.cost ? b : a)).area;
}

function whereOf(area: KnownArea): Where {
  const { kind, latitude, longitude, box, population, countryCode } = area;
  const center = { latitude, longitude };
  if (kind === "country" && countryCode !== null) return { kind: "country", countryCode };
  if (!box) return { kind: "circle", center, radiusM: radiusOf(kind, population) };
  const middle = middleOf(box);
  const radiusM = Math.max(500, distanceM(middle.latitude, middle.longitude, box[0], box[1]));
  return { kind: "box", box, center, radiusM };
}

/** How far a place of which only the middle is known reaches. */
function radiusOf(kind: KnownArea["kind"], population: number | null): number {
  const byKind = { country: 300_000, region: 60_000, city: 10_000, town: 5_000, village: 2_500, suburb: 2_000 }[kind];
  if (population === null || kind === "country" || kind === "region") return byKind;
  return Math.min(30_000, Math.max(2_000, Math.sqrt(population) * 15));
}
