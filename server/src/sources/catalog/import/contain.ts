import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { countryAt } from "../../country.ts";
import type { Box } from "../../geo.ts";
import { containmentOf, type Contains, isClearOf, pointsIn, type Shape, unpackShape } from "../../shape.ts";
import { rangesOfTiles, tileOf, tilesTouching } from "../cells.ts";
import { changeRecords, noteChangedCells } from "./change-records.ts";
import type { Next } from "./next.ts";
import { changeCountry } from "./swap-areas.ts";

/** A tile is 64 by 64 cells, some 70 by 40 km: places of one tile are looked up together. */
const tileShift = 12;
const cellsPerRun = 1_024;
/** With their edges by latitude about 100 MB of outlines at most. */
const pointsKeptMax = 3_000_000;

/**
 * Notes for each place that changed, or that lies where an area changed, which areas it lies in, and
 * gives it the country it lies in. Runs of neighboring places are read one after another with the areas
 * around them, so that memory holds neither all places nor all areas.
 */
export async function placeInAreas(db: BulkConnection, next: Next): Promise<void> {
  await updateCountriesOfAreas(db);
  const cells = await listCells(db);
  const shapes = createShapes(db);
  for (const run of runsOf(cells)) await placeRun(db, next, run, shapes);
}

/** The cells of places that changed, and of those in the tiles that changed areas reach into. */
async function listCells(db: BulkConnection): Promise<number[]> {
  const { rows } = await db.query<{ south: number; west: number; north: number; east: number }>(sql`
    select (extent[1])[1] as south, (extent[1])[0] as west, (extent[0])[1] as north, (extent[0])[0] as east
    from catalog_changed_extents
    where has_shape
  `);
  const tiles = new Set<number>();
  for (const { south, west, north, east } of rows) {
    for (const tile of tilesTouching([south, west, north, east], tileShift)) tiles.add(tile);
  }
  const ranges = rangesOfTiles(tiles, tileShift);
  const { rows: found } = await db.query<{ cells: number[] }>(sql`
    select to_json(array(
      select cell
      from catalog_changed_cells
      union
      select r.cell
      from unnest(
        ${ranges.map(([first]) => first)}::integer[],
        ${ranges.map(([, last]) => last)}::integer[]
      ) as t (first_cell, last_cell)
      cross join lateral (
        select distinct cell
        from catalog_next_records
        where cell between t.first_cell and t.last_cell
          and closed_at is null
          and not superseded
      ) r
      order by cell
    )) as cells
    where ${tiles.size > 0} or exists (select from catalog_next_areas where extent is not null)
  `);
  return found[0]?.cells ?? [];
}

function* runsOf(cells: readonly number[]): Iterable<number[]> {
  let run: number[] = [];
  for (const cell of cells) {
    const isElsewhere = tileOf(cell, tileShift) !== tileOf(run[0] ?? cell, tileShift);
    if (isElsewhere || run.length >= cellsPerRun) {
      yield run;
      run = [];
    }
    run.push(cell);
  }
  if (run.length > 0) yield run;
}

type Located = {
  number: number;
  cell: number;
  latitude: number;
  longitude: number;
  country_code: string;
  areas: string[];
};
type Moved = { number: number; cell: number; ids: string[]; country: string };

async function placeRun(db: BulkConnection, next: Next, cells: readonly number[], shapes: Shapes): Promise<void> {
  const { rows: places } = await db.query<Located>(sql`
    select number, cell, latitude, longitude, country_code, areas
    from catalog_next_records
    where cell = any(${cells}::integer[])
      and closed_at is null
      and not superseded
  `);
  if (places.length === 0) return;
  const extent = extentAround(places);
  const areas = (await shapes.around(extent)).map((area) => ({ ...area, isClear: isClearOf(area.shape, extent) }));
  const sides = new Map<string, boolean>();
  const moved = places.flatMap((place) => {
    const within = areas.filter(({ key, contains, isClear }) => {
      if (!isClear) return contains(place.latitude, place.longitude);
      let side = sides.get(key);
      if (side === undefined) sides.set(key, (side = contains(place.latitude, place.longitude)));
      return side;
    });
    const ids = [...new Set(within.map(({ sourceId }) => sourceId))];
    const country = countryOf(place, within);
    const isSame = country === place.country_code && ids.join("\n") === place.areas.join("\n");
    return isSame ? [] : [{ number: place.number, cell: place.cell, ids, country }];
  });
  if (moved.length > 0) await updatePlaces(db, next, moved);
}

/** Tags that say another country than the point's guess were written by someone; otherwise the outline knows better. */
function countryOf(place: Located, within: readonly KnownShape[]): string {
  const code = within.find(({ kind }) => kind === "country")?.countryCode;
  if (!code || code === place.country_code) return place.country_code;
  const guessed = countryAt(place.latitude, place.longitude) ?? "";
  return place.country_code === "" || place.country_code === guessed ? code : place.country_code;
}

async function updatePlaces(db: BulkConnection, next: Next, moved: readonly Moved[]) {
  const numbers = moved.map(({ number }) => number);
  await changeRecords(db, next, {
    numbers,
    values: sql`
      unnest(
        ${numbers}::integer[],
        ${moved.map(({ ids }) => ids.join("\n"))}::text[],
        ${moved.map(({ country }) => country)}::text[]
      ) as m (number, areas, country)
    `,
    set: sql`areas = string_to_array(m.areas, E'\\n'), country_code = m.country`,
  });
  await noteChangedCells(
    db,
    moved.map(({ cell }) => cell),
  );
}

type Outline = { shape: Shape; contains: Contains };
type KnownShape = Outline & { key: string; sourceId: string; kind: string; countryCode: string | null };
type Shapes = ReturnType<typeof createShapes>;

/** The areas around an extent, the widest first; outlines that were read lately are kept. */
function createShapes(db: BulkConnection) {
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
      if (points <= pointsKeptMax) return;
      points -= pointsIn(shape);
      kept.delete(key);
    }
  }

  async function around([south, west, north, east]: Box): Promise<KnownShape[]> {
    const { rows } = await db.query<Omit<KnownShape, keyof Outline>>(sql`
      select hash::text as key, source_id as "sourceId", kind, country_code as "countryCode"
      from catalog_next_areas
      where extent && box(point(${west}, ${south}), point(${east}, ${north}))
        or extent && box(point(${west + 360}, ${south}), point(${east + 360}, ${north}))
      order by kind = 'country' desc, area(extent) desc, source_id, data_set_id
    `);
    forgetOldest();
    const missing = rows.filter(({ key }) => !kept.has(key)).map(({ key }) => key);
    if (missing.length > 0) await read(missing);
    return rows.flatMap((area) => {
      const outline = kept.get(area.key);
      return outline ? [{ ...area, ...outline }] : [];
    });
  }

  return { around };
}

/** An area lies in the country whose outline holds its middle, whatever the rough borders of the world say. */
async function updateCountriesOfAreas(db: BulkConnection): Promise<void> {
  // An extent may pass 180 degrees, so each is compared with the other a turn of the earth away as well.
  const { rows: countries } = await db.query<{ code: string; shape: string; extent: string }>(sql`
    select a.country_code as code, a.shape, a.extent::text as extent
    from catalog_next_areas a
    where a.kind = 'country'
      and a.country_code is not null
      and a.shape is not null
      and exists (
        select
        from catalog_changed_extents c
        where c.extent && a.extent
          or c.extent + point(360, 0) && a.extent
          or c.extent && a.extent + point(360, 0)
      )
  `);
  for (const { code, shape: packed, extent } of countries) {
    const { rows } = await db.query<{ source_id: string; latitude: number; longitude: number }>(sql`
      select source_id, latitude, longitude
      from catalog_next_areas
      where kind <> 'country'
        and country_code is distinct from ${code}
        and ${extent}::box @> point(longitude, latitude)
    `);
    const contains = containmentOf(unpackShape(packed));
    const inside = rows.filter(({ latitude, longitude }) => contains(latitude, longitude));
    if (inside.length === 0) continue;
    await changeCountry(
      db,
      inside.map(({ source_id: id }) => id),
      code,
    );
  }
}

function extentAround(places: readonly Located[]): Box {
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const { latitude, longitude } of places) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return [south, west, north, east];
}
