import type pg from "pg";
import { inlined } from "./inlined.ts";
import type { BinaryColumns, Sql } from "./sql.ts";

type Callback = (error: Error | null, result: { rows: unknown[]; rowCount: number }) => void;

/** A connection of the driver, as far as its types do not name it. */
type WireConnection = { query(text: string): void };

const readers = {
  smallint: (field: Buffer) => field.readInt16BE(0),
  integer: (field: Buffer) => field.readInt32BE(0),
  bigint: (field: Buffer) => Number(field.readBigInt64BE(0)),
  // A copy: the driver writes what arrives next over what it has handed out.
  bytea: (field: Buffer) => new Uint8Array(field),
};

/**
 * The same statement as a binary COPY, the one way in which the driver hands bytes through. Otherwise it reads a
 * bytea as a text of twice its length: 1.1 ms of processor time for 230 kB, against 0.06 ms.
 */
export function asBinary(statement: Sql, columns: BinaryColumns): Sql {
  const { name, values } = statement;
  return { text: `copy (${inlined(statement)}) to stdout (format binary)`, values, name, columns };
}

/**
 * The numbers of a bytea that joins what `int4send` makes, with the highest byte of each first. Takes the bytes: they
 * are turned around in place.
 */
export function takeIntegers(sent: Uint8Array<ArrayBuffer> | null | undefined): Int32Array {
  return sent ? new Int32Array(Buffer.from(sent.buffer).swap32().buffer) : new Int32Array();
}

/** Runs what `asBinary` made. */
export function createBinaryQuery(text: string, columns: BinaryColumns, callback: Callback) {
  const rows: unknown[] = [];
  const entries = Object.entries(columns);
  let isStarted = false;
  let failure: Error | undefined;

  function addRows(chunk: Buffer) {
    let at = isStarted ? 0 : headerLength + chunk.readInt32BE(headerLength - 4);
    isStarted = true;
    while (at < chunk.length) {
      if (chunk.readInt16BE(at) === endOfRows) return;
      at += 2;
      const row: Record<string, unknown> = {};
      for (const [name, type] of entries) {
        const length = chunk.readInt32BE(at);
        at += 4;
        row[name] = length < 0 ? null : readers[type](chunk.subarray(at, at + length));
        at += Math.max(0, length);
      }
      rows.push(row);
    }
  }

  return {
    callback,
    submit: (connection: pg.Connection) => (connection as unknown as WireConnection).query(text),
    handleCopyData({ chunk }: { chunk: Buffer }) {
      try {
        addRows(chunk);
      } catch (error) {
        failure ??= error as Error;
      }
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery() {
      this.callback(failure ?? null, { rows, rowCount: rows.length });
    },
    handleError(error: Error) {
      this.callback(error, { rows: [], rowCount: 0 });
    },
  };
}

/** A signature of 11 bytes, flags, and the length of what follows those. */
const headerLength = 19;
const endOfRows = -1;
