import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Box } from "../geo.ts";
import { cellRangesOf } from "./cells.ts";
import { isCurrent, isShown } from "./current.ts";
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

type Point = { latitude: number; longitude: number; count: number; name: string | null };
type NamedArea = { latitude: number; longitude: number; name: string; kind: string; population: number | null };

export function isTile({ z, x, y }: TileAddress): boolean {
  return z >= 0 && z <= tileZoomMax && x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z;
}

/** The catalog's places, areas and their outlines in a square of the map, as a vector tile of at most 4,000 places. */
export async function readTile(db: Pick<Database, "query">, tile: TileAddress): Promise<Uint8Array> {
  const box = boxOf(tile);
  const places = await listPoints(db, tile, box);
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

async function listPoints(db: Pick<Database, "query">, { z }: TileAddress, box: Box): Promise<Point[]> {
  const [south, west, north, east] = box;
  const ranges = cellRangesOf(box);
  const inside = sql`
    from unnest(${ranges.map(([first]) => first)}::integer[], ${ranges.map(([, last]) => last)}::integer[])
      as range (first, last)
    join catalog_records on cell between range.first and range.last
    where closed_at is null and not superseded and place = number and ${isShown}
      and latitude >= ${south} and latitude < ${north}
      and longitude >= ${west} and longitude < ${east}
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
  const { rows } = await db.query<Point>(sql`
    select avg(latitude) as latitude, avg(longitude) as longitude, count(*) as count, null::text as name
    ${inside}
    group by cell >> ${Math.max(0, 2 * (15 - z - countedBits))}::integer
    limit ${pointsMax}
  `);
  return rows;
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
