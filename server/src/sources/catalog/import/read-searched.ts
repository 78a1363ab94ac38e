import { asBinary } from "../../../platform/postgres/binary-rows.ts";
import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../../platform/postgres/sql.ts";
import type { SearchedColumns } from "./searched-columns.ts";

const columnTypes = {
  numbers: "bytea",
  places: "bytea",
  latitudes: "bytea",
  longitudes: "bytea",
  ranks: "bytea",
  countries: "bytea",
  nameWords: "bytea",
  otherWords: "bytea",
  categories: "bytea",
} as const satisfies Record<keyof SearchedColumns, "bytea">;

/**
 * Records of the next generation. Each column comes as one value, numbers as the server keeps them: texts of
 * them, JSON and the order took it as long again, and rows cost the driver more. Words and categories hold no line ends.
 */
export async function readSearched(
  db: BulkConnection,
  records: Sql,
  condition: Sql,
): Promise<SearchedColumns | undefined> {
  const statement = sql`
    select string_agg(int4send(number), ''::bytea), string_agg(int4send(place), ''::bytea),
      string_agg(float8send(latitude), ''::bytea), string_agg(float8send(longitude), ''::bytea),
      string_agg(int2send(rank), ''::bytea),
      convert_to(string_agg(replace(country_code, chr(10), ' '), chr(10)), 'UTF8'),
      convert_to(string_agg(name_words, chr(10)), 'UTF8'), convert_to(string_agg(other_words, chr(10)), 'UTF8'),
      convert_to(string_agg(array_to_string(categories, chr(10)), chr(10) || chr(10)), 'UTF8')
    from ${records}
    where ${condition}
  `;
  const { rows } = await db.query<SearchedColumns>(asBinary(statement, columnTypes));
  return rows[0];
}
