import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { isShown } from "../../../data-sets/current.ts";
import type { BlockPlace } from "./block.ts";

/** What a record says of a place for searching. */
export type SearchedRecord = {
  number: number;
  place: number;
  latitude: number;
  longitude: number;
  countryCode: string;
  rank: number;
  nameWords: string;
  otherWords: string;
  categories: string[];
};

export const searchedColumns = sql`
  number, place, latitude, longitude, country_code as "countryCode", rank, name_words as "nameWords",
  other_words as "otherWords", categories
`;

/** A place known from several records ranks higher, and is found by what any of them says. */
const sharedRank = 20;

/** The records of each place as one place; leaders are those that lead themselves. */
export function toBlockPlaces(records: readonly SearchedRecord[]): BlockPlace[] {
  const followers = Map.groupBy(
    records.filter(({ number, place }) => number !== place),
    ({ place }) => place,
  );
  return records
    .filter(({ number, place }) => number === place)
    .map((lead) => toBlockPlace(lead, followers.get(lead.number)));
}

function toBlockPlace(lead: SearchedRecord, others: readonly SearchedRecord[] = []): BlockPlace {
  const place = {
    number: lead.number,
    latitude: lead.latitude,
    longitude: lead.longitude,
    countryCode: lead.countryCode,
    rank: Math.min(255, lead.rank),
    nameWords: split(lead.nameWords),
    otherWords: split(lead.otherWords),
    categories: lead.categories,
  };
  if (others.length === 0) return place;
  return {
    ...place,
    rank: Math.min(255, Math.max(lead.rank, ...others.map(({ rank }) => rank)) + sharedRank),
    otherWords: [lead.otherWords, ...others.flatMap((other) => [other.nameWords, other.otherWords])].flatMap(split),
    categories: [...new Set([...lead.categories, ...others.flatMap(({ categories }) => categories)])],
  };
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
  if (words === "") return [];
  const parts = words.split(" ");
  return parts.includes("") ? parts.filter((word) => word !== "") : parts;
}
