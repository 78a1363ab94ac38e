import type { ColumnMetaData, PageHeader, SchemaElement } from "hyparquet";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { ImportProblem } from "../reader.ts";
import { unpack } from "./unpack.ts";
import { isOfDictionary, made, madeOnce, readIndexes, readValues, type Values, viewOf } from "./values.ts";

/** How deep a column lies. An entry that has a value is defined down to the last level. */
export type Levels = {
  repetitionMax: number;
  definitionMax: number;
  /** From this level on an entry is an element of its list, be it null. */
  elementLevel: number;
};

/** An element of each level, from below the root to the column itself. */
export function levelsOf(path: readonly SchemaElement[]): Levels {
  const levels = { repetitionMax: 0, definitionMax: 0, elementLevel: 0 };
  for (const { repetition_type: repetition } of path) {
    if (repetition === "REQUIRED") continue;
    levels.definitionMax += 1;
    if (repetition !== "REPEATED") continue;
    levels.repetitionMax += 1;
    levels.elementLevel = levels.definitionMax;
  }
  return levels;
}

export type Page = {
  entries: number;
  /** 0 for the first entry of a row; undefined where every entry is a row. */
  repetitions: Uint8Array | undefined;
  /** Undefined where every entry has a value. */
  definitions: Uint8Array | undefined;
  /** The values of the entries that have one, read at first use. */
  values(): Values;
};

/** More than a page of the largest group that is usual, and few enough for the memory. */
const entriesMax = 8 * 1024 * 1024;

type Version2 = NonNullable<PageHeader["data_page_header_v2"]>;

type Column = {
  column: ColumnMetaData;
  levels: Levels;
  /** Of a value, in bytes, where all have the same. */
  typeLength: number | undefined;
  make: (value: unknown) => unknown;
};

/** Reads pages of one column; `make` says what becomes of a value. */
export function createPageReader({ column, levels, typeLength, make }: Column) {
  const kind = { type: column.type, typeLength };
  const { repetitionMax, definitionMax } = levels;

  function readDictionary({ dictionary_page_header: said, uncompressed_page_size: size }: PageHeader, packed: Buffer) {
    const bytes = unpack(packed, size, column.codec);
    return madeOnce(readValues(bytes, entriesIn(said), "PLAIN", kind), make);
  }

  function readPage(header: PageHeader, packed: Buffer, dictionary: Values | undefined): Page {
    const said = header.data_page_header_v2 ?? header.data_page_header;
    const entries = entriesIn(said);
    const { repetitions, definitions, valueBytes } = header.data_page_header_v2
      ? splitVersion2(header, header.data_page_header_v2, packed)
      : splitVersion1(unpack(packed, header.uncompressed_page_size, column.codec), entries);
    function readAll(): Values {
      const bytes = valueBytes();
      const count = definitions ? countOf(definitions, definitionMax) : entries;
      const encoding = said?.encoding ?? "PLAIN";
      if (isOfDictionary(encoding)) return readIndexes(bytes, count, dictionary);
      return made(readValues(bytes, count, encoding, kind), make);
    }
    let values: Values | undefined;
    return { entries, repetitions, definitions, values: () => (values ??= readAll()) };
  }

  /** In the unpacked page levels stand behind their length, and before the values. */
  function splitVersion1(bytes: Buffer, entries: number) {
    const reader = { view: viewOf(bytes), offset: 0 };
    const [repetitions, definitions] = [repetitionMax, definitionMax].map((max) => {
      if (max === 0) return undefined;
      const found = new Uint8Array(entries);
      readRleBitPackedHybrid(reader, bitsOf(max), found);
      return found;
    });
    return { repetitions, definitions, valueBytes: () => bytes.subarray(reader.offset) };
  }

  /** Levels stand before the packed values, and the header says how long they are. */
  function splitVersion2({ uncompressed_page_size: size }: PageHeader, said: Version2, packed: Buffer) {
    const { repetition_levels_byte_length: middle, definition_levels_byte_length: length } = said;
    const read = (bytes: Buffer, max: number) => {
      if (max === 0) return undefined;
      const found = new Uint8Array(entriesIn(said));
      readRleBitPackedHybrid({ view: viewOf(bytes), offset: 0 }, bitsOf(max), found, bytes.length);
      return found;
    };
    const start = middle + length;
    return {
      repetitions: read(packed.subarray(0, middle), repetitionMax),
      definitions: read(packed.subarray(middle, start), definitionMax),
      valueBytes: () =>
        said.is_compressed === false
          ? packed.subarray(start)
          : unpack(packed.subarray(start), size - start, column.codec),
    };
  }

  return { readDictionary, readPage };
}

function entriesIn(said: { num_values: number } | undefined): number {
  const entries = said?.num_values ?? -1;
  if (!(entries >= 0)) throw new Error("A page does not say how much it holds.");
  if (entries > entriesMax)
    throw new ImportProblem("The file has a page of more than eight million values, which is not read here.");
  return entries;
}

function countOf(levels: Uint8Array, level: number): number {
  let count = 0;
  for (const each of levels) if (each === level) count += 1;
  return count;
}

function bitsOf(max: number): number {
  return 32 - Math.clz32(max);
}
