import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../../platform/postgres/sql.ts";

type Columns = {
  numbers: string | null;
  places: string | null;
  cells: string | null;
  latitudes: string | null;
  longitudes: string | null;
  countries: string | null;
  ranks: string | null;
  nameWords: string | null;
  otherWords: string | null;
  categories: string | null;
};

/**
 * Records of the next generation, by number. They come as one text for each column, which costs the driver
 * less than rows. Words hold no line ends.
 */
export async function readSearched(db: BulkConnection, condition: Sql) {
  const { rows } = await db.query<Columns>(sql`
    select string_agg(number::text, ',') as numbers, string_agg(place::text, ',') as places,
      string_agg(cell::text, ',') as cells, string_agg(latitude::text, ',') as latitudes,
      string_agg(longitude::text, ',') as longitudes, string_agg(to_json(country_code)::text, ',') as countries,
      string_agg(rank::text, ',') as ranks, string_agg(name_words, chr(10)) as "nameWords",
      string_agg(other_words, chr(10)) as "otherWords", string_agg(to_json(categories)::text, ',') as categories
    from (
      select number, place, cell, latitude, longitude, country_code, rank, name_words, other_words, categories
      from catalog_next_records
      where ${condition}
      order by number
    ) found
  `);
  const [columns] = rows;
  if (!columns || columns.numbers === null) return [];
  const places = listOf<number>(columns.places);
  const cells = listOf<number>(columns.cells);
  const latitudes = listOf<number>(columns.latitudes);
  const longitudes = listOf<number>(columns.longitudes);
  const countries = listOf<string>(columns.countries);
  const ranks = listOf<number>(columns.ranks);
  const nameWords = (columns.nameWords ?? "").split("\n");
  const otherWords = (columns.otherWords ?? "").split("\n");
  const categories = listOf<string[]>(columns.categories);
  return listOf<number>(columns.numbers).map((number, index) => ({
    number,
    place: places[index] ?? number,
    cell: cells[index] ?? 0,
    latitude: latitudes[index] ?? 0,
    longitude: longitudes[index] ?? 0,
    countryCode: countries[index] ?? "",
    rank: ranks[index] ?? 0,
    nameWords: nameWords[index] ?? "",
    otherWords: otherWords[index] ?? "",
    categories: categories[index] ?? [],
  }));
}

function listOf<Value>(elements: string | null): Value[] {
  return JSON.parse(`[${elements ?? ""}]`) as Value[]; // of a column whose type the statement says
}
