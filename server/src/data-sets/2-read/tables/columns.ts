import { type TableField, tableFields } from "../../../languages/index.ts";
import { memoize } from "../../../platform/memoize.ts";
import { normalize } from "../../../text/normalize.ts";
import { headingsOf } from "./headings.ts";

/** What a table or a feature can say of a place; columns are mapped onto these. */
export type Field = TableField;

/** What `--mapping` takes. */
export const fields: readonly Field[] = tableFields;

/** What the columns of a row say, by field. */
export type Values = Partial<Record<Field, string>>;

export function isField(name: string): name is Field {
  return tableFields.some((field) => field === name);
}

/** A place may have several of these, each in its own column. For other fields the best column counts. */
const spread: ReadonlySet<Field> = new Set(["category", "phone", "website", "email"]);

/** Which columns say what, by their numbers, the most telling first. */
export type Columns = Partial<Record<Field, number[]>>;

/** Where each field stands among these headings, the most telling first. Columns of one heading stand in for one another. */
export function guessColumns(columns: readonly string[]): Columns {
  const found: Partial<Record<Field, { rank: number; column: number }[]>> = {};
  for (const [column, heading] of columns.entries()) {
    const meaning = meaningOf(heading);
    if (meaning) (found[meaning.field] ??= []).push({ rank: meaning.rank, column });
  }
  const guessed: Columns = {};
  for (const field of tableFields) {
    const ranked = found[field]?.sort((one, other) => one.rank - other.rank) ?? [];
    const best = ranked.filter(({ rank }) => spread.has(field) || rank === ranked[0]?.rank);
    if (best.length > 0) guessed[field] = best.map(({ column }) => column);
  }
  return guessed;
}

type Meaning = { field: Field; rank: number };

const meaningsMax = 10_000;
const headingCharactersMax = 200;

/** A collection of features has the same headings again and again. */
function meaningOf(heading: string): Meaning | undefined {
  return heading.length > headingCharactersMax ? undefined : knownMeaningOf(heading);
}

const knownMeaningOf = memoize(readHeading, meaningsMax);

const ranksByWords = new Map<string, Meaning>(
  tableFields.flatMap((field) =>
    headingsOf(field).map((name, rank): [string, Meaning] => [keyOf(name), { field, rank }]),
  ),
);

/** `postalCode`, `postal_code` and `Postal Code` are one. */
function keyOf(heading: string): string {
  return normalize(heading).join("");
}

/** Words that tell of a coordinate beside others: `Latitude (WGS84)`, `location/lat`. */
const coordinates: Readonly<Record<string, "latitude" | "longitude">> = Object.fromEntries([
  ..."latitude lat latitud latitudine breitengrad".split(" ").map((word) => [word, "latitude"]),
  ..."longitude lon lng longitud longitudine langengrad".split(" ").map((word) => [word, "longitude"]),
]);
const lastRank = 1_000;

function readHeading(heading: string): Meaning | undefined {
  const exact = ranksByWords.get(keyOf(heading));
  if (exact) return exact;
  const [field, ...others] = new Set(normalize(heading).flatMap((word) => coordinates[word] ?? []));
  return field === undefined || others.length > 0 ? undefined : { field, rank: lastRank };
}
