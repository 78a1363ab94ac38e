import { hash } from "node:crypto";
import { copyArray, CopyBuffer, copyJson, copyLine, copyString } from "../../platform/postgres/copy-text.ts";
import { attributesOf } from "../../places/attributes.ts";
import type { AreaRecord, RecordItem, PlaceRecord } from "../../places/record.ts";
import { cellOf } from "../../geography/cells.ts";
import { phraseOf, wordsOf } from "../../text/words.ts";
import { extentOf, packShape } from "../../geography/shape.ts";
import { isFoundUnnamed, isFurnitureCategory } from "../../kinds/index.ts";
import { contactsOf } from "../../places/merge/pair.ts";
import { postcodeIds } from "../../places/postcodes.ts";
import { shownText } from "../../places/shown.ts";

/**
 * Finished rows of the stage as COPY text, made in the thread that read them. Each row begins with its
 * line: where it stands among what the file says.
 */
export type RowBatch = {
  text: Uint8Array<ArrayBuffer>;
  /** Where each row of the text ends, and the cell that it lies in. */
  ends: Uint32Array;
  cells: Int32Array;
  places: number;
  /** Landmarks are rows, and counted nowhere. */
  areas: number;
  skipped: number;
  /** The latest date that a publisher gives one of the places. */
  observedAt?: string;
};

export const stageColumns =
  "line, kind, source_id, hash, cell, latitude, longitude, country_code, rank, name_words, other_words, categories, contacts, shown, record";

const itemsPerBatch = 200;
/** Countries are known in some two hundred languages. */
const areaNamesMax = 400;
const buffer = new CopyBuffer();

/** Lines of one file stay below this power of ten, and those of the next begin there. */
const lineDigits = 15;

/** The rows of items, the first of which has the line given, in the first of several files or another. */
export function packRows(items: readonly RecordItem[], firstLine: number, part = 0): RowBatch {
  const counts = { places: 0, areas: 0, skipped: 0 };
  const ends: number[] = [];
  const cells: number[] = [];
  buffer.clear();
  let observedAt = "";
  let line = firstLine - 1;
  for (const item of items) {
    line += 1;
    const at = part === 0 ? `${line}` : `${part}${`${line}`.padStart(lineDigits, "0")}`;
    const cell = cellOf("place" in item ? item.place : item.area);
    const row = "place" in item ? placeRow(at, cell, item.place) : areaRow(at, cell, item.area);
    if (row === undefined) {
      counts.skipped += 1;
      continue;
    }
    if ("place" in item) {
      counts.places += 1;
      const { observedAt: knownAt = "" } = item.place;
      if (knownAt > observedAt) observedAt = knownAt;
    } else if (item.area.kind !== "landmark") counts.areas += 1;
    ends.push(buffer.add(row));
    cells.push(cell);
  }
  const packed = { text: buffer.toBytes(), ends: Uint32Array.from(ends), cells: Int32Array.from(cells), ...counts };
  return observedAt === "" ? packed : { ...packed, observedAt };
}

/** The rows of items that are read in this thread. */
export async function* batchRows(items: AsyncIterable<RecordItem>): AsyncGenerator<RowBatch, void, undefined> {
  let batch: RecordItem[] = [];
  let line = 1;
  for await (const item of items) {
    if (batch.push(item) < itemsPerBatch) continue;
    yield packRows(batch, line);
    line += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield packRows(batch, line);
}

/** What the database can index. */
const sourceIdCharactersMax = 512;

function placeRow(line: string, cell: number, record: PlaceRecord): string | undefined {
  const { sourceId } = record;
  if (!isPoint(record) || sourceId === "" || sourceId.length > sourceIdCharactersMax) return undefined;
  if (record.name.trim() === "" && !record.categories.some((id) => isFoundUnnamed(id))) return undefined;
  const text = JSON.stringify(record);
  const latitude = numberIn(text, '"latitude":', record.latitude);
  const longitude = numberIn(text, '"longitude":', record.longitude);
  const countryCode = copyString(record.address.countryCode?.toUpperCase() ?? "");
  const foundBy = [...attributesOf(record), ...postcodeIds(record.address.postalCode)];
  const categories = copyArray([...record.categories.slice(0, 20), ...foundBy]);
  const contacts = copyArray(contactsOf(record.details));
  const place = `${cell}\t${latitude}\t${longitude}\t${countryCode}\t${completeness(record)}`;
  const words = `${copyString(phraseOf(record.name))}\t${copyString(otherWordsOf(record))}`;
  return `${line}\tplace\t${copyString(record.sourceId)}\t${hashOf(text)}\t${place}\t${words}\t${categories}\t${contacts}\t${hashOf(shownText(record))}\t${copyJson(text)}\n`;
}

/** A number as JSON has it after its key: most of what formatting it once more would cost is saved. */
function numberIn(json: string, key: string, value: number): string {
  const start = json.indexOf(key) + key.length;
  const text = json.slice(start, json.indexOf(",", start));
  return Number(text) === value ? text : String(value);
}

function otherWordsOf({ namesByLanguage, otherNames, categoryLabels }: PlaceRecord): string {
  const names = [...Object.values(namesByLanguage), ...otherNames, ...categoryLabels];
  return names.length === 0 ? "" : [...new Set(names.slice(0, 40).flatMap(wordsOf))].join(" ");
}

function areaRow(line: string, cell: number, area: AreaRecord): string | undefined {
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
    namesByLanguage: otherLanguagesOf(area),
  });
  return copyLine([
    line,
    "area",
    area.sourceId,
    hashOf(JSON.stringify([text, names, area.latitude, area.longitude, area.countryCode])),
    cell,
    area.latitude,
    area.longitude,
    area.countryCode?.toUpperCase() ?? "",
    0,
    "",
    "",
    names,
    [],
    null,
    text,
  ]);
}

/** Null where it is called the same in every language. */
function otherLanguagesOf({ name, namesByLanguage }: AreaRecord): Record<string, string> | null {
  const others = Object.entries(namesByLanguage).filter(([, other]) => other !== name && !other.includes("\0"));
  return others.length === 0 ? null : Object.fromEntries(others);
}

function isPoint({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180; // false for NaN too
}

function hashOf(text: string): string {
  return hash("md5", text);
}

/**
 * 1 to 255: a business whose record is fuller, and which its publisher is surer of, is likelier to be what someone
 * looks for. 0 for a bench or a playground, and for what has no name: only its category finds it.
 */
function completeness({ name, categories, address, details, namesByLanguage, confidence = 1 }: PlaceRecord): number {
  if (name.trim() === "") return 0;
  if (categories.length > 0 && categories.every((id) => isFurnitureCategory(id))) return 0;
  const sum =
    points(categories.length > 0, 29) +
    points(address.street !== null, 30) +
    points(address.city !== null, 15) +
    points((details.phones?.length ?? 0) > 0, 35) +
    points(Boolean(details.website), 35) +
    points(Boolean(details.openingHours), 35) +
    points(Boolean(details.knowledgeUrl), 25) +
    points(Boolean(details.featuredImageUrl), 10) +
    points((details.emails?.length ?? 0) > 0, 10) +
    points((details.socialProfiles?.length ?? 0) > 0, 10) +
    points(Object.keys(details.features ?? {}).length > 0, 10) +
    points(Object.keys(namesByLanguage).length > 0, 10);
  return 1 + Math.round(sum * confidence);
}

function points(isGiven: boolean, weight: number): number {
  return isGiven ? weight : 0;
}
