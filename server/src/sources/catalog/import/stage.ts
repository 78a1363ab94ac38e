import { createHash } from "node:crypto";
import type { BulkConnection, CopyValue } from "../../../platform/postgres/bulk.ts";
import { attributesOf } from "../../open-data/attributes.ts";
import type { AreaRecord, RecordItem, PlaceRecord } from "../../open-data/record.ts";
import { cellOf } from "../cells.ts";
import { phraseOf, wordsOf } from "../../query/words.ts";
import { extentOf, packShape } from "../../shape.ts";
import { isFurnitureCategory } from "../../vocabulary/index.ts";
import { contactsOf } from "../merging/pair.ts";

export type Staged = { places: number; areas: number; skipped: number };

/** Countries are known in some two hundred languages. */
const areaNamesMax = 400;

const columns =
  "line, kind, source_id, hash, cell, latitude, longitude, country_code, rank, name_words, other_words, categories, contacts, record";

/**
 * Copies what a reader yields into a temporary table. It belongs to this connection alone: whatever
 * becomes of the import, it is gone with it.
 */
export async function stageItems(
  db: BulkConnection,
  items: AsyncIterable<RecordItem>,
  progress: (staged: Staged) => void,
): Promise<Staged> {
  await db.execute(`
    create temporary table catalog_stage (
      line bigint not null,
      kind text not null,
      source_id text not null,
      hash uuid not null,
      cell integer not null,
      latitude double precision not null,
      longitude double precision not null,
      country_code text not null,
      rank smallint not null,
      name_words text not null,
      other_words text not null,
      categories text[] not null,
      contacts text[] not null,
      record text not null
    )
  `);
  const staged = { places: 0, areas: 0, skipped: 0 };
  let line = 0;

  async function* rows(): AsyncIterable<readonly CopyValue[]> {
    for await (const item of items) {
      line += 1;
      const row = "place" in item ? placeRow(line, item.place) : areaRow(line, item.area);
      if (!row) {
        staged.skipped += 1;
        continue;
      }
      if ("place" in item) staged.places += 1;
      else staged.areas += 1;
      if (line % 1_000 === 0) progress(staged);
      yield row;
    }
  }

  await db.copy(`catalog_stage (${columns})`, rows());
  // A file may tell of a place twice; what it says last counts.
  await db.execute(`
    analyze catalog_stage;
    delete from catalog_stage earlier
    using (
      select source_id, kind, max(line) as line
      from catalog_stage
      group by source_id, kind
      having count(*) > 1
    ) repeated
    where earlier.source_id = repeated.source_id
      and earlier.kind = repeated.kind
      and earlier.line < repeated.line;
  `);
  progress(staged);
  return staged;
}

function placeRow(line: number, record: PlaceRecord): CopyValue[] | undefined {
  const nameWords = wordsOf(record.name);
  if (!isPoint(record) || record.sourceId === "" || record.name.trim() === "") return undefined;
  const text = JSON.stringify(record);
  const other = [...Object.values(record.namesByLanguage), ...record.otherNames, ...record.categoryLabels];
  return [
    line,
    "place",
    record.sourceId,
    hashOf(text),
    cellOf(record),
    record.latitude,
    record.longitude,
    record.address.countryCode?.toUpperCase() ?? "",
    completeness(record),
    nameWords.join(" "),
    [...new Set(other.slice(0, 40).flatMap(wordsOf))].join(" "),
    [...record.categories.slice(0, 20), ...attributesOf(record)],
    contactsOf(record.details),
    text,
  ];
}

function areaRow(line: number, area: AreaRecord): CopyValue[] | undefined {
  const all = [area.name, ...Object.values(area.namesByLanguage), ...(area.otherNames ?? [])];
  const names = [...new Set(all.map(phraseOf))].filter((name) => name !== "").slice(0, areaNamesMax);
  if (!isPoint(area) || names.length === 0) return undefined;
  const { name, kind, box, population, level = null, shape } = area;
  const extent = shape ? extentOf(shape) : null;
  // Without NUL characters, which JSON may hold and the database's text may not.
  const text = JSON.stringify({
    name: name.replaceAll("\0", ""),
    kind,
    box,
    population,
    level,
    extent: extent && `(${extent[3]},${extent[2]}),(${extent[1]},${extent[0]})`,
    shape: shape ? packShape(shape) : null,
  });
  return [
    line,
    "area",
    area.sourceId,
    hashOf(JSON.stringify([text, names, area.latitude, area.longitude, area.countryCode])),
    cellOf(area),
    area.latitude,
    area.longitude,
    area.countryCode?.toUpperCase() ?? "",
    0,
    "",
    "",
    names,
    [],
    text,
  ];
}

function isPoint({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180; // false for NaN too
}

function hashOf(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/**
 * 1 to 255: a business whose record is fuller is likelier to be what someone looks for. 0 for a bench
 * or a playground, which only its category finds.
 */
function completeness({ categories, address, details, namesByLanguage }: PlaceRecord): number {
  if (categories.length > 0 && categories.every((id) => isFurnitureCategory(id))) return 0;
  const counted: [boolean, number][] = [
    [categories.length > 0, 29],
    [address.street !== null, 30],
    [address.city !== null, 15],
    [(details.phones?.length ?? 0) > 0, 35],
    [Boolean(details.website), 35],
    [Boolean(details.openingHours), 35],
    [Boolean(details.knowledgeUrl), 25],
    [Boolean(details.featuredImageUrl), 10],
    [(details.emails?.length ?? 0) > 0, 10],
    [(details.socialProfiles?.length ?? 0) > 0, 10],
    [Object.keys(details.features ?? {}).length > 0, 10],
    [Object.keys(namesByLanguage).length > 0, 10],
  ];
  return counted.reduce((sum, [isGiven, points]) => sum + (isGiven ? points : 0), 1);
}
