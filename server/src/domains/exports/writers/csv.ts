import type { Business } from "../../businesses/index.ts";
import { columnsOf, type Column, type ColumnType } from "./columns.ts";
import { neutralize } from "./neutralize.ts";
import type { FileContext, Sink, Writer } from "./writer.ts";

/**
 * RFC 4180 in UTF-8, without a byte order mark. Null is an empty cell and an empty text a quoted one;
 * lists and deeper values are JSON text.
 */
export async function createCsvWriter(sink: Sink, context: FileContext): Promise<Writer> {
  const columns = columnsOf(context.columns);
  await sink.write(Buffer.from(csvHead(columns)));
  return {
    async write(batch) {
      await sink.write(
        Buffer.from(
          batch
            .businesses()
            .map((business) => csvLine(columns, business))
            .join(""),
        ),
      );
    },
    async end() {},
  };
}

export function csvHead(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => name).join(",")}\r\n`;
}

export function csvLine(columns: readonly Column[], business: Business): string {
  let line = "";
  for (const { type, read, readForSpreadsheet = read } of columns) {
    const value = readForSpreadsheet(business);
    if (value !== null) line += cellOf(type, value);
    line += ",";
  }
  return `${line.slice(0, -1)}\r\n`;
}

function cellOf(type: ColumnType, value: unknown): string {
  if (type === "list" || type === "json") return quoted(JSON.stringify(value));
  // Numbers come from typed fields and run nothing: a longitude of -9.1 stays a number.
  if (typeof value === "string") return quoted(neutralize(value));
  return String(value);
}

const needsQuotes = /[",\r\n]/;

function quoted(text: string): string {
  return text === "" || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
