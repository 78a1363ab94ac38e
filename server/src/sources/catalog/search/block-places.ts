import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { isShown } from "../current.ts";
import type { BlockPlace } from "./block.ts";

/** What a record says of a place for searching. */
export type SearchedRecord = {
  number: number;
  place: number;
  cell: number;
  latitude: number;
  longitude: number;
  countryCode: string;
  rank: number;
  nameWords: string;
  otherWords: string;
  categories: string[];
};

export const searchedColumns = sql`
  number, place, cell, latitude, longitude, country_code as "countryCode", rank, name_words as "nameWords",
  other_words as "otherWords", categories
`;

/** A place known from several records ranks higher, and is found by what any of them says. */
const sharedRank = 20;

/** The records of each place as one place; leaders are those that lead themselves. */
export function toBlockPlaces(records: readonly SearchedRecord[]): (BlockPlace & { cell: number })[] {
  const followers = Map.groupBy(
    records.filter(({ number, place }) => number !== place),
    ({ place }) => place,
  );
  return records
    .filter(({ number, place }) => number === place)
    .map(({ nameWords, otherWords, ...lead }) => {
      const others = followers.get(lead.number) ?? [];
      const rank = Math.max(lead.rank, ...others.map((other) => other.rank)) + (others.length > 0 ? sharedRank : 0);
      return {
        ...lead,
        rank: Math.min(255, rank),
        nameWords: split(nameWords),
        otherWords: [otherWords, ...others.flatMap((other) => [other.nameWords, other.otherWords])].flatMap(split),
        categories: [...new Set([...lead.categories, ...others.flatMap(({ categories }) => categories)])],
      };
    });
}

/** The places with these numbers as a search compares them; undefined when they are of another generation. */
export async function readBlockPlaces(db: Queryable, numbers: readonly number[], generation: number) {
  const { rows } = await db.query<SearchedRecord & { generation: number }>(sql`
    select ${searchedColumns}, (select generation from catalog_state) as generation
    from catalog_records
    where place = any(${numbers}::integer[])
      and closed_at is null
      and not superseded
      and ${isShown}
    order by number
  `);
  return rows.some((row) => row.generation !== generation) ? undefined : toBlockPlaces(rows);
}

function split(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}
