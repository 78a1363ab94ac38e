import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Box } from "../../geography/points.ts";
import { cellRangesOf } from "../../geography/cells.ts";
import { isCurrent, isShown } from "../../data-sets/current.ts";
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
/** Of more places than that the blocks of the index tell how many there are, and about where. */
const countedMax = 100_000;

type Point = { latitude: number; longitude: number; count: number; name: string | null };
type NamedArea = { latitude: number; longitude: number; name: string; kind: string; population: number | null };

export function isTile({ z, x, y }: TileAddress): boolean {
  return z >= 0 && z <= tileZoomMax && x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z;
}

/** The catalog's places, areas and their outlines in a square of the map, as a vector tile of at most 4,000 places. */
export async function readTile(db: Pick<Database, "query">, tile: TileAddress): Promise<Uint8Array> {
  const box = boxOf(tile);
  const places = await listPoints(db, tile);
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

/** South, west, north, east of all places of the catalog; undefined when it has none. */
export async function readCatalogBounds(db: Pick<Database, "query">): Promise<Box | undefined> {
  const { rows } = await db.query<{ box: (number | null)[] | undefined }>(sql`
    select array[min(bounds[1]), min(bounds[2]), max(bounds[3]), max(bounds[4])] as box
    from catalog_blocks
    where places > 0 and ${isCurrent}
  `);
  const found = rows[0]?.box;
  if (!found || found.includes(null)) return undefined;
  const [south = 0, west = 0, north = 0, east = 0] = found.map((each) => (each ?? 0) / 1e7);
  return [south, west, north, east];
}

/** The places of a tile, each or counted. */
export async function listPoints(
  db: Pick<Database, "query">,
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
  const blocks = await listBlocks(db, ranges);
  const shift = Math.max(0, 2 * (15 - z - countedBits));
  const places = blocks.reduce((sum, block) => sum + block.places, 0);
  if (places > placesCounted) return pointsOfBlocks(blocks, box, shift);
  const { rows } = await db.query<Point>(sql`
    select avg(latitude) as latitude, avg(longitude) as longitude, count(*) as count, null::text as name
    ${inside}
    group by cell >> ${shift}::integer
    limit ${pointsMax}
  `);
  return rows;
}

/** How many places a block of the index has, and in what bounds, in ten-millionths of a degree. */
type Block = { firstCell: number; places: number; bounds: number[] };

async function listBlocks(db: Pick<Database, "query">, ranges: readonly [number, number][]): Promise<Block[]> {
  const { rows } = await db.query<{ blocks: [number, number, number[]][] | null }>(sql`
    select json_agg(json_build_array(first_cell, places, bounds)) as blocks
    from catalog_blocks
    where places > 0 and ${isCurrent} and exists (
      select
      from unnest(${ranges.map(([first]) => first)}::integer[], ${ranges.map(([, last]) => last)}::integer[])
        as range (first, last)
      where first_cell <= range.last and last_cell >= range.first
    )
  `);
  return (rows[0]?.blocks ?? []).map(([firstCell, places, bounds]) => ({ firstCell, places, bounds }));
}

/** One point for the blocks of a square whose middle is in the box, where most of their places are. */
function pointsOfBlocks(blocks: readonly Block[], [south, west, north, east]: Box, shift: number): Point[] {
  const points = new Map<number, Point>();
  for (const { firstCell, places, bounds } of blocks) {
    const [low = 0, left = 0, high = 0, right = 0] = bounds.map((each) => each / 1e7);
    const [latitude, longitude] = [(low + high) / 2, (left + right) / 2];
    if (!(latitude >= south && latitude < north && longitude >= west && longitude < east)) continue;
    const square = firstCell >> shift;
    const known = points.get(square) ?? { latitude, longitude, count: 0, name: null };
    const count = known.count + places;
    const weight = places / count;
    points.set(square, {
      latitude: known.latitude + (latitude - known.latitude) * weight,
      longitude: known.longitude + (longitude - known.longitude) * weight,
      count,
      name: null,
    });
  }
  return [...points.values()].slice(0, pointsMax);
}

async function listAreas(db: Pick<Database, "query">, [south, west, north, east]: Box): Promise<NamedArea[]> {
  const { rows } = await db.query<NamedArea>(sql`
    select latitude, longitude, name, kind, population
    from catalog_areas
    where latitude >= ${south} and latitude < ${north}
      and longitude >= ${west} and longitude < ${east}
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
