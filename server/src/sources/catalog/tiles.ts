import { fromGeojsonVt } from "@maplibre/vt-pbf";
import { type Limits, now, type PlaceIndex, type TilePlaces } from "../../place-index/port.ts";
import { tileShift } from "../../place-index/schema.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type Box, middleOf } from "../../geography/points.ts";
import { boxOfTile, cellRangesOf } from "../../geography/cells.ts";
import { isShown } from "../../data-sets/current.ts";
import { listOutlines, type Outline } from "./outlines.ts";

/** A square of the map: the world is one at zoom 0, and each has four at the next zoom. */
export type TileAddress = { z: number; x: number; y: number };

export const tileZoomMax = 16;

const extent = 4_096;
/** How far lines go on past a tile's edge, so that their ends are not seen. */
const margin = 64;
/** From this zoom on every place is a point of its own; before, places that are near are one point that counts them. */
const singleFrom = 13;
/** From this zoom on a place has its name. */
const namedFrom = 15;
const pointsMax = 4_000;
const areasMax = 40;
/** A tile is divided so often per side for counting. */
const countedBits = 5;
/** Of more places than that the index says how many there are, and about where. */
const countedMax = 100_000;
/** A map waits no longer for the index. */
const indexMs = 5_000;

type Catalog = { db: Pick<Database, "query">; index: Pick<PlaceIndex, "density"> };

type Point = { latitude: number; longitude: number; count: number; name: string | null };
type NamedArea = { latitude: number; longitude: number; name: string; kind: string; population: number | null };

export function isTile({ z, x, y }: TileAddress): boolean {
  return z >= 0 && z <= tileZoomMax && x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z;
}

/** The catalog's places, areas and their outlines in a square of the map, as a vector tile of at most 4,000 places. */
export async function readTile({ db, index }: Catalog, tile: TileAddress): Promise<Uint8Array> {
  const box = boxOf(tile);
  const places = await listPoints({ db, index }, tile);
  const areas = await listAreas(db, box);
  const outlines = await listOutlines(db, box, (...position) => project(tile, ...position), { extent, margin });
  const projected = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
    project(tile, latitude, longitude);
  return fromGeojsonVt(
    {
      places: layerOf(places, projected, ({ count, name }) => ({ count, ...(name === null ? {} : { name }) })),
      outlines: lineLayerOf(outlines),
      areas: layerOf(areas, projected, ({ name, kind, population }) => ({ name, kind, population: population ?? 0 })),
    },
    { version: 2, extent },
  );
}

/** About where all places of the catalog lie: south, west, north, east; undefined when it has none. */
export async function readCatalogBounds(index: Catalog["index"]): Promise<Box | undefined> {
  const { tiles } = await index.density([wholeEarth], tileShift, limits()).catch(() => ({ tiles: [] }));
  if (tiles.length === 0) return undefined;
  const boxes = tiles.map(([tile]) => boxOfTile(tile, tileShift));
  return [
    Math.min(...boxes.map(([south]) => south)),
    Math.min(...boxes.map(([, west]) => west)),
    Math.max(...boxes.map(([, , north]) => north)),
    Math.max(...boxes.map(([, , , east]) => east)),
  ];
}

const wholeEarth: Box = [-90, -180, 90, 180];

function limits(): Limits {
  return { signal: new AbortController().signal, until: now() + indexMs };
}

/** The places of a tile, each or counted. */
export async function listPoints(
  { db, index }: Catalog,
  tile: TileAddress,
  placesCounted = countedMax,
): Promise<Point[]> {
  const { z } = tile;
  const box = boxOf(tile);
  const [south, west, north, east] = box;
  const ranges = cellRangesOf(box);
  // Each range is a subquery of its own, because the planner would answer a join on `between` by reading everything.
  const inside = sql`
    from unnest(${ranges.map(([first]) => first)}::integer[], ${ranges.map(([, last]) => last)}::integer[])
      as range (first, last)
    cross join lateral (
      select cell, latitude, longitude, rank, record
      from catalog_records
      where cell between range.first and range.last
        and closed_at is null and not superseded and place = number and ${isShown}
        and latitude >= ${south} and latitude < ${north}
        and longitude >= ${west} and longitude < ${east}
      offset 0
    ) found
  `;
  if (z >= singleFrom) {
    const { rows } = await db.query<Point>(sql`
      select latitude, longitude, 1 as count, ${z >= namedFrom ? sql`record::json ->> 'name'` : sql`null::text`} as name
      ${inside}
      order by rank desc
      limit ${pointsMax}
    `);
    return rows;
  }
  const shift = Math.max(0, 2 * (15 - z - countedBits));
  const crowds = await listCrowds(index, box, Math.max(shift, tileShift));
  if (crowds.reduce((sum, { count }) => sum + count, 0) > placesCounted) return crowds.slice(0, pointsMax);
  const { rows } = await db.query<Point>(sql`
    select avg(latitude) as latitude, avg(longitude) as longitude, count(*) as count, null::text as name
    ${inside}
    group by cell >> ${shift}::integer
    limit ${pointsMax}
  `);
  return rows;
}

/** A point for each tile of the index whose middle is in the box; none while there is no index. */
async function listCrowds(index: Catalog["index"], box: Box, shift: number): Promise<Point[]> {
  const [south, west, north, east] = box;
  const found = await index.density([box], shift, limits()).catch(() => ({ tiles: [] }));
  return found.tiles
    .map((tile) => pointOf(tile, shift))
    .filter(
      ({ latitude, longitude }) => latitude >= south && latitude < north && longitude >= west && longitude < east,
    );
}

function pointOf([tile, count]: TilePlaces, shift: number): Point {
  return { ...middleOf(boxOfTile(tile, shift)), count, name: null };
}

async function listAreas(db: Pick<Database, "query">, [south, west, north, east]: Box): Promise<NamedArea[]> {
  const { rows } = await db.query<NamedArea>(sql`
    select latitude, longitude, name, kind, population
    from catalog_areas
    where latitude >= ${south} and latitude < ${north}
      and longitude >= ${west} and longitude < ${east}
      and kind <> 'landmark'
    order by population desc nulls last
    limit ${areasMax}
  `);
  return rows;
}

type TileLayer = Parameters<typeof fromGeojsonVt>[0][string];

function layerOf<Item>(
  items: readonly Item[],
  projected: (item: Item) => [number, number],
  tags: (item: Item) => Record<string, string | number>,
): TileLayer {
  const features = items.map((item) => ({ type: 1, geometry: [projected(item)], tags: tags(item) }));
  return { features } as TileLayer;
}

function lineLayerOf(outlines: readonly Outline[]): TileLayer {
  const features = outlines.map(({ name, level, lines }) => ({ type: 2, geometry: lines, tags: { name, level } }));
  return { features };
}

/** Where a point lies in the tile, in the projection that web maps have. */
function project({ z, x, y }: TileAddress, latitude: number, longitude: number): [number, number] {
  const sin = Math.sin((latitude * Math.PI) / 180);
  const across = (longitude + 180) / 360;
  const down = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
  return [Math.round((across * 2 ** z - x) * extent), Math.round((down * 2 ** z - y) * extent)];
}

function boxOf({ z, x, y }: TileAddress): Box {
  const latitudeAt = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180) / Math.PI;
  const longitudeAt = (column: number) => (column / 2 ** z) * 360 - 180;
  return [latitudeAt(y + 1), longitudeAt(x), latitudeAt(y), longitudeAt(x + 1)];
}
