import { columnsOf, rowOf } from "./columns.ts";
import type { Batch, FileContext, Sink, Writer } from "./writer.ts";

/** One stored record to a line, byte for byte; with columns, one row of these. */
export function createNdjsonWriter(sink: Sink, { columns }: FileContext): Writer {
  return {
    write: (batch) =>
      sink.write(columns === null ? batch.bytes : Buffer.from(`${linesOf(batch, columns).join("\n")}\n`)),
    async end() {},
  };
}

/** Each business as JSON on a line: the stored text, or a row of these columns. */
export function linesOf(batch: Batch, names: readonly string[] | null): string[] {
  if (names === null) return batch.lines();
  const columns = columnsOf(names);
  return batch.businesses().map((business) => JSON.stringify(rowOf(columns, business)));
}
