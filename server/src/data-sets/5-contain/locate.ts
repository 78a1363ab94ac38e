import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { countryAt, parentOf } from "../../geography/country.ts";
import type { Box } from "../../geography/points.ts";
import { containmentOf, type Contains, isClearOf, pointsIn, type Shape, unpackShape } from "../../geography/shape.ts";
import { tileOf } from "../../geography/cells.ts";

/** A tile is 64 by 64 cells, some 70 by 40 km: places of one tile are looked up together. */
export const tileShift = 12;
/** The areas of so many tiles are read with one statement. */
const tilesAtOnce = 32;
/** With their edges by latitude about 100 MB of outlines at most. */
const pointsKeptMax = 3_000_000;

export type Placed = { cell: number; latitude: number; longitude: number; country_code: string };
/**
 * The source ids of the areas that a place lies in, the widest first, and the country. `isUnexplained`: neither an
 * outline nor the point says that country, so somebody wrote it, or an outline that has gone since.
 */
export type Location = { ids: string[]; country: string; isUnexplained: boolean };
export type Locate = (places: readonly Placed[]) => Promise<Location[]>;

/**
 * Finds where places lie, which come in the order of their cells. Those of some tiles are compared at a time with
 * the areas around them, so that memory does not hold all areas. Sessions that locate at once share what is kept.
 */
export function createLocate(db: Queryable, sessions = 1): Locate {
  const shapes = createShapes(db, pointsKeptMax / sessions);

  return async (places) => {
    const tiles = [...byTile(places)];
    const located: Location[] = [];
    for (let at = 0; at < tiles.length; at += tilesAtOnce) {
      const some = tiles.slice(at, at + tilesAtOnce).map((tile) => ({ tile, extent: extentAround(tile) }));
      const areas = await shapes.around(some.map(({ extent }) => extent));
      for (const [index, { tile, extent }] of some.entries()) {
        for (const place of locateTile(tile, extent, areas[index] ?? [])) located.push(place);
      }
    }
    return located;
  };
}

function* byTile(places: readonly Placed[]): Iterable<Placed[]> {
  let tile: Placed[] = [];
  for (const place of places) {
    const [first = place] = tile;
    if (tileOf(place.cell, tileShift) !== tileOf(first.cell, tileShift)) {
      yield tile;
      tile = [];
    }
    tile.push(place);
  }
  if (tile.length > 0) yield tile;
}

function locateTile(places: readonly Placed[], extent: Box, known: readonly KnownShape[]): Location[] {
  const areas = known.map((area) => ({ ...area, isClear: isClearOf(area.shape, extent) }));
  const sides = new Map<string, boolean>();
  return places.map((place) => {
    const within = areas.filter(({ key, contains, isClear }) => {
      if (!isClear) return contains(place.latitude, place.longitude);
      let side = sides.get(key);
      if (side === undefined) sides.set(key, (side = contains(place.latitude, place.longitude)));
      return side;
    });
    return { ids: [...new Set(within.map(({ sourceId }) => sourceId))], ...countryOf(place, within) };
  });
}

/**
 * Tags that say another country than the point's guess were written by someone; otherwise the outline knows better. That
 * of a country holds its territories too, which have a code of their own.
 */
function countryOf(place: Placed, within: readonly KnownShape[]): Omit<Location, "ids"> {
  const { country_code: own } = place;
  const code = within.find(({ kind }) => kind === "country")?.countryCode;
  if (code === own || (own === "" && !code)) return { country: own, isUnexplained: false };
  const isGuessed = own === "" || own === countryAt(place.latitude, place.longitude);
  if (isGuessed && code && code !== parentOf(own)) return { country: code, isUnexplained: false };
  return { country: own, isUnexplained: !isGuessed };
}

type Outline = { shape: Shape; contains: Contains };
type KnownShape = Outline & { key: string; sourceId: string; kind: string; countryCode: string | null };

/** The areas around each of some extents, the widest first; outlines that were read lately are kept. */
function createShapes(db: Queryable, keptMax: number) {
  const kept = new Map<string, Outline>();
  let points = 0;

  async function read(keys: readonly string[]): Promise<void> {
    const { rows } = await db.query<{ key: string; shape: string }>(sql`
      select distinct on (hash) hash::text as key, shape
      from catalog_next_areas
      where hash = any(${keys}::uuid[])
    `);
    for (const { key, shape: packed } of rows) {
      const shape = unpackShape(packed);
      kept.set(key, { shape, contains: containmentOf(shape) });
      points += pointsIn(shape);
    }
  }

  function forgetOldest(): void {
    for (const [key, { shape }] of kept) {
      if (points <= keptMax) return;
      points -= pointsIn(shape);
      kept.delete(key);
    }
  }

  async function around(extents: readonly Box[]): Promise<KnownShape[][]> {
    const { rows } = await db.query<Omit<KnownShape, keyof Outline> & { at: number }>(sql`
      select e.at, a.hash::text as key, a.source_id as "sourceId", a.kind, a.country_code as "countryCode"
      from unnest(
        ${extents.map(([south]) => south)}::float8[],
        ${extents.map(([, west]) => west)}::float8[],
        ${extents.map(([, , north]) => north)}::float8[],
        ${extents.map(([, , , east]) => east)}::float8[]
      ) with ordinality as e (south, west, north, east, at)
      join catalog_next_areas a
        on a.extent is not null -- else each tile is compared with every town that is a point: 12 s for 100,000 of them
        and (
          a.extent && box(point(e.west, e.south), point(e.east, e.north))
          or a.extent && box(point(e.west + 360, e.south), point(e.east + 360, e.north))
        )
      order by e.at, a.kind = 'country' desc, area(a.extent) desc, a.source_id, a.data_set_id
    `);
    forgetOldest();
    const missing = new Set(rows.map(({ key }) => key).filter((key) => !kept.has(key)));
    if (missing.size > 0) await read([...missing]);
    const found: KnownShape[][] = extents.map(() => []);
    for (const { at, ...area } of rows) {
      const outline = kept.get(area.key);
      if (outline) found[at - 1]?.push({ ...area, ...outline });
    }
    return found;
  }

  return { around };
}

function extentAround(places: readonly Placed[]): Box {
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const { latitude, longitude } of places) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return [south, west, north, east];
}
