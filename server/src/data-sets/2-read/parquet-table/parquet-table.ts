import type { FileMetaData, SchemaElement } from "hyparquet";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { storableText } from "../../../platform/text.ts";
import type { RecordItem } from "../../../places/record.ts";
import { allThePlacesRecord } from "../alltheplaces/alltheplaces-record.ts";
import { foursquareRecord } from "../foursquare/foursquare-record.ts";
import { columnsOf, type CsvMapping } from "../tables/csv.ts";
import type { Columns } from "../tables/columns.ts";
import { idSourceOf, type IdSource, problemOfValues, recordOfValues, valuesOf } from "../tables/properties.ts";
import type { ReadOptions } from "../reader.ts";
import { readAlone, type TaskReader } from "../tasks.ts";
import { columnsIn, openColumn, type TableColumn } from "../parquet/group.ts";
import type { ReadBytes } from "../parquet/pages.ts";
import { openSlices, planSlices, type Slice, type SliceFindings } from "../parquet/table-file.ts";
import { pointOf } from "../parquet/wkb.ts";

export type ParquetOptions = ReadOptions & { mapping?: CsvMapping };

/** A table whose columns say what, or one that a publisher's own reader knows. */
type TableTask = Slice & { headings: readonly string[]; as: Columns | "foursquare" | "alltheplaces" };

/** A row by its headings, and where a column of geometry says that it lies. */
type TableRow = { texts: Record<string, string>; point: [latitude: number, longitude: number] | undefined };

export const parquetTable: TaskReader<TableTask, SliceFindings> = {
  plan: (path, options: ParquetOptions, performers) =>
    planSlices(path, options, performers, (metadata) => taskMaker(metadata, options.mapping)),
  async open(path, { dataSet }) {
    const ids = idSourceOf("csv", dataSet);
    return openSlices(path, { rowsOf, itemOf: (row, task) => itemOf(row, task, ids) });
  },
  tasksPerThread: 1,
};

/** Reads any table with names and positions, and the places of publishers that tell them in such tables. */
export function readParquet(path: string, options: ParquetOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(parquetTable, path, options);
}

function taskMaker({ schema }: FileMetaData, mapping: CsvMapping | undefined): (slice: Slice) => TableTask {
  const found = columnsIn(schema);
  const headings = found.map(({ name }) => name);
  const publisher = headings.includes("fsq_place_id")
    ? "foursquare"
    : headings.includes("@spider")
      ? "alltheplaces"
      : undefined;
  const as = mapping || !publisher ? columnsOf(headings, mapping ?? {}, found.some(isGeometry)) : publisher;
  return (slice) => ({ ...slice, headings, as });
}

function itemOf(row: TableRow, task: TableTask, ids: IdSource): RecordItem | string {
  if (typeof task.as === "object") return itemOfValues(row, task.headings, task.as, ids);
  const { texts, point } = row;
  const id = texts["id"];
  const place =
    task.as === "foursquare" ? foursquareRecord(texts) : point && id ? allThePlacesRecord(id, texts, point) : undefined;
  return place ? { place } : "no id, no name or no position that can be read";
}

function itemOfValues(
  { texts, point }: TableRow,
  headings: readonly string[],
  columns: Columns,
  ids: IdSource,
): RecordItem | string {
  const position = point ? { latitude: `${point[0]}`, longitude: `${point[1]}` } : {};
  const values = { ...position, ...valuesOf(columns, (column) => texts[headings[column] ?? ""] ?? "") };
  const place = recordOfValues(ids, values);
  return place ? { place } : (problemOfValues(values) ?? "nothing that can be read");
}

function rowsOf(metadata: FileMetaData, group: number, readBytes: ReadBytes) {
  const leaves = columnsIn(metadata.schema).map((column) => {
    const make = isGeometry(column) ? (value: unknown) => value : textMaker(column.path.at(-1));
    return { column, leaf: openColumn(metadata, group, { ...column, make }, readBytes) };
  });
  return {
    async read(from: number, count: number): Promise<TableRow[]> {
      const rows = Array.from({ length: count }, (): TableRow => ({ texts: {}, point: undefined }));
      // One after the other: each keeps a page in memory while it reads.
      for (const { column, leaf } of leaves) {
        const cells = leaf ? await leaf.read(from, count) : [];
        for (const [index, row] of rows.entries()) {
          const cell = cells[index];
          if (isGeometry(column)) row.point ??= pointOf(cell);
          const text = Array.isArray(cell) ? cell.filter(Boolean).join(";") : cell;
          if (typeof text === "string" && text !== "") row.texts[column.name] = text;
        }
      }
      return rows;
    },
  };
}

function isGeometry({ name, path, takes }: TableColumn): boolean {
  return (
    takes === "one" && path.at(-1)?.type === "BYTE_ARRAY" && /^(?:geometry|geom|wkb_geometry|geo|wkb)$/i.test(name)
  );
}

/** Values as a table of texts has them. */
function textMaker(element: SchemaElement | undefined): (value: unknown) => string | undefined {
  if (!element) return () => undefined;
  return (value) => {
    if (value === undefined || value === null) return undefined;
    // The library's own reading of dates, decimals and the like, for one value.
    const [read] = convert([value], { element, parsers: DEFAULT_PARSERS } as Parameters<
      typeof convert
    >[1]) as unknown[];
    if (read instanceof Date) return read.toISOString();
    if (typeof read === "boolean") return read ? "yes" : "no";
    return storableText(typeof read === "string" ? read : numberText(read));
  };
}

/** A whole number may be larger than JSON has them. */
function numberText(value: unknown): string {
  return typeof value === "bigint" ? `${value}` : (JSON.stringify(value) ?? "");
}
