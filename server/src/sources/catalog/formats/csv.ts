import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { storableText } from "../../../platform/text.ts";
import type { RecordItem } from "../../open-data/record.ts";
import { type Field, guessColumns, recordOfValues, type Values } from "./properties.ts";
import { decodedStream, encodingOf, readHead } from "./decoding.ts";
import { ImportProblem, newProgress, type ReadOptions, skipRow } from "./reader.ts";

/** Which column says what, by its heading; what is not given is guessed. */
export type CsvMapping = Partial<Record<Field, string>>;
export type CsvOptions = ReadOptions & { mapping?: CsvMapping };

type ParsedRow = { record: string[]; info: { lines: number } };

const recordBytesMax = 1024 * 1024;

/** Reads a table with headings, separated by commas, semicolons, tabs or bars. */
export async function* readCsv(path: string, options: CsvOptions): AsyncGenerator<RecordItem, void, undefined> {
  const { signal, progress = newProgress(), mapping = {} } = options;
  progress.bytesTotal = (await stat(path)).size;
  const head = await readHead(path);
  const encoding = encodingOf(head);
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(head));
  // A failure of the stream reaches the parser, which this function reads from.
  const rows = pipeline(
    decodedStream(path, encoding, progress, signal),
    parse({
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: recordBytesMax,
      info: true,
    }),
    () => {},
  );
  let columns: [Field, number][] | undefined;
  let isFound = false;
  try {
    for await (const { record: row, info } of rows as AsyncIterable<ParsedRow>) {
      if (!columns) {
        columns = columnsOf(row, mapping);
        continue;
      }
      progress.objectsRead += 1;
      const values: Values = Object.fromEntries(
        columns.map(([field, index]) => [field, storableText(row[index] ?? "")]),
      );
      const place = recordOfValues("csv", values);
      if (!place) {
        skipRow(progress, `line ${info.lines}`, values.name?.trim() ? "no coordinates that can be read" : "no name");
        continue;
      }
      isFound = true;
      yield { place };
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new ImportProblem(`The table cannot be read at line ${lineOf(cause)}: ${cause.message}.`, { cause });
  }
  if (progress.objectsRead > 0 && !isFound) {
    throw new ImportProblem(
      `None of the ${progress.objectsRead} rows has both a name and coordinates that can be read.`,
    );
  }
}

function columnsOf(headings: string[], mapping: CsvMapping): [Field, number][] {
  for (const [field, heading] of Object.entries(mapping)) {
    if (!headings.includes(heading)) {
      throw new ImportProblem(
        `The table has no column "${heading}", which is to say the ${field}; it has: ${namesOf(headings)}.`,
      );
    }
  }
  const columns = { ...guessColumns(headings), ...mapping };
  if (columns.latitude === undefined || columns.longitude === undefined) {
    throw new ImportProblem(
      `The table has no columns for latitude and longitude; it has: ${namesOf(headings)}. Name them in the column mapping.`,
    );
  }
  if (columns.name === undefined) {
    throw new ImportProblem(
      `The table has no column for the name; it has: ${namesOf(headings)}. Name it in the column mapping.`,
    );
  }
  return Object.entries(columns).map(([field, heading]) => [field as Field, headings.indexOf(heading)]);
}

function lineOf(problem: CsvError): string {
  const line: unknown = problem["lines"];
  return typeof line === "number" ? String(line) : "unknown";
}

const headingsShown = 20;

function namesOf(headings: readonly string[]): string {
  const shown = headings.slice(0, headingsShown).map((heading) => heading.slice(0, 40));
  return shown.join(", ") + (headings.length > headingsShown ? ", …" : "");
}

/** The separator that the headings have most of. */
function delimiterOf(head: string): string {
  const line = head.slice(0, head.search(/[\r\n]|$/));
  const count = (separator: string) => line.split(separator).length;
  return [",", ";", "\t", "|"].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
