import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { parentOf } from "../../geography/country.ts";
import type { PlaceRecord } from "../../places/record.ts";
import { containmentOf, unpackShape } from "../../geography/shape.ts";
import { rangesOfTiles, tilesTouching } from "../../geography/cells.ts";
import { changeRecords, noteChangedCells } from "../next-generation/change-records.ts";
import { createLocate, type Locate, type Location, type Placed, tileShift } from "./locate.ts";
import { hasEarlierRecords, type Next } from "../next-generation/generation.ts";
import { changeCountry } from "../next-generation/change-areas.ts";

const cellsAtOnce = 1_024;

/**
 * Notes for each place that changed, or that lies where an area changed, which areas it lies in, and gives it the
 * country it lies in. Neighboring places are read some at a time, so that memory does not hold all of them. Places that
 * this change adds are located before they are inserted.
 */
export async function placeInAreas(db: BulkConnection, next: Next): Promise<void> {
  if (!(await hasEarlierRecords(db, next))) return;
  const cells = await listCells(db);
  const locate = createLocate(db);
  for (let at = 0; at < cells.length; at += cellsAtOnce) {
    await placeCells(db, next, cells.slice(at, at + cellsAtOnce), locate);
  }
}

/** Whether the next generation has an area that a place can lie in. */
export async function hasOutlines(db: BulkConnection): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select
    from catalog_next_areas
    where extent is not null
    limit 1
  `);
  return rowCount > 0;
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

type Located = Placed & { number: number; areas: string[] };
type Moved = Pick<Location, "ids" | "country"> & { number: number; cell: number };

async function placeCells(db: BulkConnection, next: Next, cells: readonly number[], locate: Locate): Promise<void> {
  const { rows: places } = await db.query<Located>(sql`
    select number, cell, latitude, longitude, country_code, areas
    from catalog_next_records
    where cell = any(${cells}::integer[])
      and closed_at is null
      and not superseded
      and number <= ${next.writtenBefore}
    order by cell
  `);
  const locations = await withoutGoneOutlines(db, places, await locate(places), locate);
  const moved = locations.flatMap(({ ids, country }, index) => {
    const place = places[index];
    const isSame = country === place?.country_code && ids.join("\n") === place.areas.join("\n");
    return !place || isSame ? [] : [{ number: place.number, cell: place.cell, ids, country }];
  });
  if (moved.length > 0) await updatePlaces(db, next, moved);
}

/**
 * A place keeps the country that an outline gave it when that outline goes. Where the record itself says another, or
 * none, the place is located once more by that. Few are unexplained, so their records are read for it.
 */
async function withoutGoneOutlines(
  db: BulkConnection,
  places: readonly Located[],
  locations: readonly Location[],
  locate: Locate,
): Promise<readonly Location[]> {
  const numbers = places.flatMap(({ number }, index) => (locations[index]?.isUnexplained ? [number] : []));
  if (numbers.length === 0) return locations;
  const { rows } = await db.query<{ number: number; record: string }>(sql`
    select r.number, coalesce(c.record, r.record) as record
    from catalog_records r
    left join catalog_record_changes c on c.number = r.number
    where r.number = any(${numbers}::integer[])
  `);
  const written = new Map(
    rows.map(({ number, record }) => [number, writtenCountry(JSON.parse(record) as PlaceRecord)]),
  );
  const others = places.filter(({ number, country_code: code }) => (written.get(number) ?? code) !== code);
  const again = await locate(others.map((place) => ({ ...place, country_code: written.get(place.number) ?? "" })));
  const byNumber = new Map(others.map(({ number }, index) => [number, again[index]]));
  return places.flatMap(({ number }, index) => byNumber.get(number) ?? locations[index] ?? []);
}

function writtenCountry({ address }: PlaceRecord): string {
  return address.countryCode?.toUpperCase() ?? "";
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

/**
 * An area lies in the country whose outline holds its middle, whatever the rough borders of the world say; one of a
 * territory keeps the territory's code, since a country's outline may hold that too.
 */
export async function updateCountriesOfAreas(db: BulkConnection): Promise<void> {
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
    const { rows } = await db.query<{ source_id: string; latitude: number; longitude: number; country: string }>(sql`
      select source_id, latitude, longitude, coalesce(country_code, '') as country
      from catalog_next_areas
      where kind <> 'country'
        and country_code is distinct from ${code}
        and ${extent}::box @> point(longitude, latitude)
    `);
    const contains = containmentOf(unpackShape(packed));
    const inside = rows.filter(
      ({ latitude, longitude, country }) => code !== parentOf(country) && contains(latitude, longitude),
    );
    if (inside.length === 0) continue;
    await changeCountry(
      db,
      inside.map(({ source_id: id }) => id),
      code,
    );
  }
}
