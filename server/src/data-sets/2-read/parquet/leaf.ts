import type { ColumnMetaData, PageHeader, SchemaElement } from "hyparquet";
import { createPageReader, levelsOf, type Page } from "./page.ts";
import { openPages, type ReadBytes } from "./pages.ts";
import type { Values } from "./values.ts";

export type Leaf = {
  column: ColumnMetaData;
  /** The elements of the schema from below its root to this one. */
  path: readonly SchemaElement[];
  /** Of each row its first entry, or all as a list. */
  takes: "one" | "all";
  make: (value: unknown) => unknown;
};

export type LeafReader = { read(from: number, count: number): Promise<unknown[]> };

/**
 * Reads the rows of one column of a row group in their order, page by page: a group takes the memory of a page, however
 * many rows it has. Rows may be passed over; none is read twice.
 */
export function openLeaf({ column, path, takes, make }: Leaf, readBytes: ReadBytes): LeafReader {
  const levels = levelsOf(path);
  const { repetitionMax, definitionMax, elementLevel } = levels;
  const pages = openPages(column, readBytes);
  const reader = createPageReader({ column, levels, typeLength: path.at(-1)?.type_length, make });
  let dictionary: Values | undefined;
  let page: Page | undefined;
  let entry = 0;
  /** The position of the entry among those that have a value. */
  let valueAt = 0;
  /** So many rows have begun. */
  let row = 0;

  /** Turns to the next page that may have something of this row or a later one; false when there is none. */
  async function turnTo(from: number): Promise<boolean> {
    for (let next = await pages.next(); next; next = await pages.next()) {
      const { header } = next;
      if (header.type === "DICTIONARY_PAGE") dictionary = reader.readDictionary(header, await next.bytes());
      if (header.type !== "DATA_PAGE" && header.type !== "DATA_PAGE_V2") continue;
      const rows = rowsIn(header, repetitionMax);
      if (rows === undefined || row + rows > from) {
        page = reader.readPage(header, await next.bytes(), dictionary);
        entry = 0;
        valueAt = 0;
        return true;
      }
      row += rows;
    }
    page = undefined;
    return false;
  }

  /** Takes what the page has of the wanted rows; false when a row begins after them. */
  function take({ entries, repetitions, definitions, values }: Page, cells: unknown[], from: number, count: number) {
    for (; entry < entries; entry += 1) {
      const isFirst = repetitions === undefined || repetitions[entry] === 0;
      if (isFirst && cells.length === count) return false;
      if (isFirst) row += 1;
      const level = definitions === undefined ? definitionMax : (definitions[entry] ?? 0);
      const hasValue = level === definitionMax;
      if (row > from && (isFirst || takes === "all")) {
        const value = hasValue ? values().at(valueAt) : undefined;
        if (takes === "one") cells.push(value);
        else if (isFirst) cells.push(level < elementLevel ? [] : [value]);
        else (cells.at(-1) as unknown[]).push(value);
      }
      if (hasValue) valueAt += 1;
    }
    return true;
  }

  async function read(from: number, count: number): Promise<unknown[]> {
    if (row > from) throw new Error("The rows of a column are read in their order.");
    const cells: unknown[] = [];
    for (;;) {
      if (page && !take(page, cells, from, count)) return cells;
      // The last row of a page may go on in the next one, if rows have several entries.
      if (cells.length === count && repetitionMax === 0) return cells;
      if (!(await turnTo(from + cells.length))) break;
    }
    if (cells.length < count) throw new Error("A column ends before its row group.");
    return cells;
  }

  return { read };
}

/** Undefined where only the levels tell. */
function rowsIn(header: PageHeader, repetitionMax: number): number | undefined {
  if (header.data_page_header_v2) return header.data_page_header_v2.num_rows;
  return repetitionMax === 0 ? header.data_page_header?.num_values : undefined;
}
