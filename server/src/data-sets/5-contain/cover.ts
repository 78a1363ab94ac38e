import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { tilesBeside } from "../../geography/cells.ts";

/** From tiles of some 8 by 5 km on to coarser ones, until there are few enough. */
const shifts = [6, 8, 10, 12] as const;
const tilesMax = 50_000;
/** A country with fewer of the places may be one whose border the data set passes. */
const shareOfCountryMin = 0.1;
/** Squares of some 32 by 20 km: what lies neither in one with places of such a country nor beside it is not at its border. */
const borderShift = 10;

/** Which area the data set covers in the next generation, as far as its places and boundaries tell. */
export type Coverage = { tiles: number[]; shift: number; countries: string[] };

type CountryTiles = { country: string; isOwn: boolean; tiles: number[]; places: number[] };

export async function coverageOf(db: BulkConnection, dataSetId: number): Promise<Coverage> {
  const [finest] = shifts;
  const { rows } = await db.query<CountryTiles>(sql`
    with counted as materialized (
      select cell >> ${finest}::integer as tile, country_code, count(*) as places
      from catalog_next_records
      where data_set_id = ${dataSetId} and closed_at is null
      group by 1, 2
    )
    select country_code as country,
      sum(places) / sum(sum(places)) over () >= ${shareOfCountryMin}::double precision
        or exists (
          select
          from catalog_next_areas a
          where a.data_set_id = ${dataSetId}
            and a.kind = 'country'
            and a.country_code = counted.country_code
            and a.shape is not null
        ) as "isOwn",
      to_json(array_agg(tile order by tile)) as tiles,
      to_json(array_agg(places order by tile)) as places
    from counted
    group by country_code
    order by country_code
  `);
  const tiles = [...new Set(rows.flatMap((row) => row.tiles))].sort((a, b) => a - b);
  return { ...coarsen(tiles), countries: countriesOf(rows.filter(({ country }) => country !== "")) };
}

/** Those with a share of the places or an outline, and those of which most places lie away from the former. */
function countriesOf(rows: readonly CountryTiles[]): string[] {
  const own = new Set(rows.filter(({ isOwn }) => isOwn).flatMap(({ tiles }) => tiles.map(squareOf)));
  return rows.filter((row) => row.isOwn || liesApart(row, own)).map(({ country }) => country);
}

function liesApart({ tiles, places }: CountryTiles, own: ReadonlySet<number>): boolean {
  let [apart, atBorder] = [0, 0];
  const isBeside = new Map<number, boolean>();
  for (const [index, tile] of tiles.entries()) {
    const square = squareOf(tile);
    if (!isBeside.has(square)) {
      isBeside.set(
        square,
        tilesBeside(square, borderShift).some((each) => own.has(each)),
      );
    }
    if (isBeside.get(square) === true) atBorder += places[index] ?? 0;
    else apart += places[index] ?? 0;
  }
  return apart > atBorder;
}

function squareOf(tile: number): number {
  return tile >>> (borderShift - shifts[0]);
}

/** Tiles of the finest size, or of the first that makes them few enough. */
function coarsen(finest: number[]): Pick<Coverage, "tiles" | "shift"> {
  let tiles = finest;
  for (const shift of shifts) {
    if (shift > shifts[0]) tiles = [...new Set(finest.map((tile) => tile >> (shift - shifts[0])))];
    if (tiles.length <= tilesMax || shift === shifts.at(-1)) return { tiles, shift };
  }
  throw new Error("There is a coarsest tile.");
}
