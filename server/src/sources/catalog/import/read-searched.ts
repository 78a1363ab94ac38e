import { asBinary } from "../../../platform/postgres/binary-rows.ts";
import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../../platform/postgres/sql.ts";

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
} as const;

type Columns = Record<keyof typeof columnTypes, Uint8Array<ArrayBuffer> | null>;

/**
 * Records of the next generation, by number. Each column comes as one value, numbers as the server keeps them: texts of
 * them, JSON and the order took it as long again, and rows cost the driver more. Words and categories hold no line ends.
 */
export async function readSearched(db: BulkConnection, records: Sql, condition: Sql) {
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
  const { rows } = await db.query<Columns>(asBinary(statement, columnTypes));
  const [columns] = rows;
  if (!columns?.numbers) return [];
  const places = integersOf(columns.places);
  const latitudes = doubles(columns.latitudes);
  const longitudes = doubles(columns.longitudes);
  const ranks = smallIntegers(columns.ranks);
  const countries = textOf(columns.countries).split("\n");
  const nameWords = textOf(columns.nameWords).split("\n");
  const otherWords = textOf(columns.otherWords).split("\n");
  const categories = listsOf(columns.categories);
  const found = Array.from(integersOf(columns.numbers), (number, index) => ({
    number,
    place: places[index] ?? number,
    latitude: latitudes[index] ?? 0,
    longitude: longitudes[index] ?? 0,
    countryCode: countries[index] ?? "",
    rank: ranks[index] ?? 0,
    nameWords: nameWords[index] ?? "",
    otherWords: otherWords[index] ?? "",
    categories: categories[index] ?? [],
  }));
  // They mostly are in this order already.
  return found.sort((one, other) => one.number - other.number);
}

/** The bytes of a number arrive with the highest first; the buffer is of this value alone. */
export function integersOf(sent: Uint8Array<ArrayBuffer> | null): Int32Array {
  return sent ? new Int32Array(Buffer.from(sent.buffer).swap32().buffer) : new Int32Array();
}

function smallIntegers(sent: Uint8Array<ArrayBuffer> | null): Int16Array {
  return sent ? new Int16Array(Buffer.from(sent.buffer).swap16().buffer) : new Int16Array();
}

function doubles(sent: Uint8Array<ArrayBuffer> | null): Float64Array {
  return sent ? new Float64Array(Buffer.from(sent.buffer).swap64().buffer) : new Float64Array();
}

function textOf(sent: Uint8Array<ArrayBuffer> | null): string {
  return sent ? Buffer.from(sent.buffer).toString("utf8") : "";
}

/** Neighbors have few different lists, and each is read once. */
function listsOf(sent: Uint8Array<ArrayBuffer> | null): string[][] {
  const known = new Map([["", [] as string[]]]);
  return textOf(sent)
    .split("\n\n")
    .map((text) => {
      let list = known.get(text);
      if (!list) known.set(text, (list = text.split("\n")));
      return list;
    });
}
