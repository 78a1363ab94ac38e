import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { storableText } from "../../../platform/text.ts";
import type { RecordItem } from "../../../places/record.ts";
import { type Columns, type Field, guessColumns } from "./columns.ts";
import { idSourceOf, problemOfValues, recordOfValues, valuesOf } from "./properties.ts";
import { decodedStream, encodingOf, isPlausibleLatin, readHead } from "../decoding.ts";
import { addSkipped, ImportProblem, newProgress, type ReadOptions, type ReadProgress, skipRow } from "../reader.ts";
import { type Performer, type Performers, readAlone, runInOrder, type TaskReader } from "../tasks.ts";

/** The field of each column, by its heading. Waypost guesses the others. */
export type CsvMapping = Partial<Record<Field, string>>;
export type CsvOptions = ReadOptions & { mapping?: CsvMapping };

type ParsedRow = { record: string[]; info: { lines: number } };

const recordBytesMax = 1024 * 1024;

type RowsTask = { columns: Columns; rows: string[][]; lines: number[] };
type RowsFindings = { places: number; skipped: ReadProgress["skipped"] };

export const csv: TaskReader<RowsTask, RowsFindings> = { plan, open: openPerformer, tasksPerThread: 1 };

/** Reads a table with headings, separated by commas, semicolons, tabs or bars. */
export function readCsv(path: string, options: CsvOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(csv, path, options);
}

async function* plan<Output>(
  path: string,
  options: CsvOptions,
  performers: Performers<RowsTask, RowsFindings, Output>,
): AsyncGenerator<Output, void, undefined> {
  const progress = options.progress ?? newProgress();
  progress.bytesTotal = (await stat(path)).size;
  let isFound = false;
  for await (const { task, findings, output } of runInOrder(tasksOf(path, { ...options, progress }), performers)) {
    progress.objectsRead += task.rows.length;
    addSkipped(progress, findings.skipped);
    isFound ||= findings.places > 0;
    yield output;
  }
  if (progress.objectsRead > 0 && !isFound) {
    const [first] = progress.skipped.samples;
    const why = first ? ` (${first.at}: ${first.reason})` : "";
    throw new ImportProblem(`None of the ${progress.objectsRead} rows can be used${why}.`);
  }
}

const taskRows = 500;
const foreignText =
  "The text is in none of the encodings UTF-8, UTF-16 and Latin-1; save it as UTF-8, which Excel calls CSV UTF-8.";

async function* tasksOf(
  path: string,
  { signal, progress = newProgress(), mapping = {} }: CsvOptions,
): AsyncGenerator<RowsTask, void, undefined> {
  const head = await readHead(path);
  const encoding = encodingOf(head);
  const beginning = new TextDecoder(encoding).decode(head).replace(/^[\r\n]+/, "");
  if (encoding === "windows-1252" && !isPlausibleLatin(beginning)) throw new ImportProblem(foreignText);
  const declared = declaredDelimiter(beginning);
  // A failure of the stream reaches the parser, which this function reads from.
  const parsed = pipeline(
    decodedStream(path, encoding, progress, signal),
    parse({
      bom: true,
      delimiter: declared ?? delimiterOf(beginning),
      record_delimiter: lineEndsOf(beginning),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // Spreadsheets write the rows below the last one too, as separators alone.
      skip_records_with_empty_values: true,
      trim: true,
      max_record_size: recordBytesMax,
      info: true,
    }),
    () => {},
  );
  let task: RowsTask | undefined;
  let isDeclaration = declared !== undefined;
  try {
    for await (const { record: row, info } of parsed as AsyncIterable<ParsedRow>) {
      if (isDeclaration) {
        isDeclaration = false;
        continue;
      }
      if (!task) {
        task = { columns: columnsOf(row, mapping), rows: [], lines: [] };
        progress.unusedColumns = unusedAmong(row, task.columns);
        continue;
      }
      task.lines.push(info.lines);
      if (task.rows.push(row) < taskRows) continue;
      yield task;
      task = { columns: task.columns, rows: [], lines: [] };
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new ImportProblem(sentenceOf(cause), { cause });
  }
  if (task && task.rows.length > 0) yield task;
}

async function openPerformer(
  _: string,
  { dataSet }: Pick<CsvOptions, "dataSet">,
): Promise<Performer<RowsTask, RowsFindings>> {
  const ids = idSourceOf("csv", dataSet);
  return {
    async perform({ columns, rows, lines }, items) {
      const progress = newProgress();
      for (const [index, row] of rows.entries()) {
        const values = valuesOf(columns, (column) => storableText(row[column] ?? ""));
        const place = recordOfValues(ids, values, columns);
        if (place) items.push({ place });
        else skipRow(progress, `line ${lines[index]}`, problemOfValues(values) ?? "nothing that can be read");
      }
      return { places: items.length, skipped: progress.skipped };
    },
    close: async () => undefined,
  };
}

/** Which columns of a table say what; `hasPosition` where something else than a column says where a row lies. */
export function columnsOf(headings: readonly string[], mapping: CsvMapping, hasPosition = false): Columns {
  for (const [field, heading] of Object.entries(mapping)) {
    if (!headings.includes(heading)) {
      throw new ImportProblem(
        `The table has no column "${heading}", which is to say the ${field}; it has: ${namesOf(headings)}.`,
      );
    }
  }
  const named = Object.entries(mapping).map(([field, heading]) => [field, [headings.indexOf(heading)]]);
  const columns: Columns = { ...guessColumns(headings), ...Object.fromEntries(named) };
  if (!hasPosition && !columns.point && (!columns.latitude || !columns.longitude)) {
    throw new ImportProblem(
      `The table has no columns for latitude and longitude; it has: ${namesOf(headings)}. Name them with --mapping latitude=COLUMN,longitude=COLUMN.`,
    );
  }
  if (!columns.name) {
    throw new ImportProblem(
      `The table has no column for the name; it has: ${namesOf(headings)}. Name it with --mapping name=COLUMN.`,
    );
  }
  return columns;
}

/** The headings of columns that no field is read from. */
function unusedAmong(headings: readonly string[], columns: Columns): string[] {
  const used = new Set(Object.values(columns).flat());
  return headings.filter((heading, column) => heading !== "" && !used.has(column));
}

function sentenceOf(problem: CsvError): string {
  const lines: unknown = problem["lines"];
  const records: unknown = problem["records"];
  // The line is where the table ends; the quotation mark stands in the row that began last.
  if (problem.code === "CSV_QUOTE_NOT_CLOSED" && typeof records === "number")
    return `The table ends within quotation marks that open in row ${records + 1}, the headings counted; close them there.`;
  const line = typeof lines === "number" ? lines : "unknown";
  if (problem.code === "CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE")
    return `The table cannot be read at line ${line}: a value goes on after its closing quotation mark; within a value each is written twice ("").`;
  if (problem.code === "CSV_MAX_RECORD_SIZE")
    return `The table cannot be read at line ${line}: its row is larger than 1 MB.`;
  return `The table cannot be read at line ${line}: ${problem.message}.`;
}

const headingsShown = 20;

function namesOf(headings: readonly string[]): string {
  const shown = headings.slice(0, headingsShown).map((heading) => heading.slice(0, 40));
  return shown.join(", ") + (headings.length > headingsShown ? ", …" : "");
}

/** The separator that a line before the headings says, which Excel understands: `sep=;`. */
function declaredDelimiter(head: string): string | undefined {
  const [, , declared] = /^("?)sep=([,;\t|])\1 *[\r\n]/i.exec(head) ?? [];
  return declared;
}

/** The separator that the headings have most of. */
function delimiterOf(head: string): string {
  const line = unquotedHeadings(head) ?? head.slice(0, head.search(/[\r\n]|$/));
  const count = (separator: string) => line.split(separator).length;
  return [",", ";", "\t", "|"].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** The first line without what stands in quotation marks; undefined where they do not close. */
function unquotedHeadings(head: string): string | undefined {
  let line = "";
  let isQuoted = false;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\r" || character === "\n") return line;
    else line += character;
  }
  return isQuoted ? undefined : line;
}

/** Rows that were added to a table on another system may end otherwise than the first; a lone CR ends one only where all do. */
function lineEndsOf(head: string): string[] {
  const isMac = /\r\n|\n|\r/.exec(head)?.[0] === "\r";
  return isMac ? ["\r\n", "\n", "\r"] : ["\r\n", "\n"];
}
