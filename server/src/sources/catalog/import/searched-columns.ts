import { takeIntegers } from "../../../platform/postgres/binary-rows.ts";
import type { SearchedRecord } from "../search/block-places.ts";

/** Records by column as the server sends them, each column in a buffer of its own; null when there are none. */
export type SearchedColumns = Record<
  "numbers" | "places" | "latitudes" | "longitudes" | "ranks" | "countries" | "nameWords" | "otherWords" | "categories",
  Uint8Array<ArrayBuffer> | null
>;

/** The records by number. Takes the columns: their bytes are turned around in place. */
export function takeRecords(columns: SearchedColumns): SearchedRecord[] {
  if (!columns.numbers) return [];
  const places = takeIntegers(columns.places);
  const latitudes = takeDoubles(columns.latitudes);
  const longitudes = takeDoubles(columns.longitudes);
  const ranks = takeSmallIntegers(columns.ranks);
  const countries = textOf(columns.countries).split("\n");
  const nameWords = textOf(columns.nameWords).split("\n");
  const otherWords = textOf(columns.otherWords).split("\n");
  const categories = listsOf(columns.categories);
  const records = Array.from(takeIntegers(columns.numbers), (number, index) => ({
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
  return records.sort((one, other) => one.number - other.number);
}

function takeSmallIntegers(sent: Uint8Array<ArrayBuffer> | null): Int16Array {
  return sent ? new Int16Array(Buffer.from(sent.buffer).swap16().buffer) : new Int16Array();
}

function takeDoubles(sent: Uint8Array<ArrayBuffer> | null): Float64Array {
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
