import type { RowBatch } from "../stage-rows.ts";

const chunkBytes = 256 * 1024;

/** More rows than batches that are sorted together have: a cell and a row's position then fit one exact number. */
const rowsMax = 2 ** 23;

/** The rows of batches in the order of their cells, as chunks of COPY text; rows of one cell stay in the order they had. */
export function* sortRows(batches: readonly RowBatch[]): Generator<Uint8Array, void, undefined> {
  const rows = batches.reduce((sum, { ends }) => sum + ends.length, 0);
  if (rows >= rowsMax) throw new Error("So many rows are not sorted at once.");
  const keys = new Float64Array(rows);
  const starts = new Uint32Array(rows);
  const ends = new Uint32Array(rows);
  const texts = new Uint32Array(rows);
  let count = 0;
  for (const [index, batch] of batches.entries()) {
    let start = 0;
    for (const [row, end] of batch.ends.entries()) {
      keys[count] = (batch.cells[row] ?? 0) * rowsMax + count;
      starts[count] = start;
      ends[count] = end;
      texts[count] = index;
      start = end;
      count += 1;
    }
  }
  keys.sort();

  let chunk = new Uint8Array(chunkBytes);
  let length = 0;
  for (const key of keys) {
    const at = key % rowsMax;
    const text = batches[texts[at] ?? 0]?.text.subarray(starts[at], ends[at]);
    if (!text) continue;
    if (length + text.length > chunk.length) {
      yield chunk.subarray(0, length);
      chunk = new Uint8Array(Math.max(chunkBytes, text.length));
      length = 0;
    }
    chunk.set(text, length);
    length += text.length;
  }
  if (length > 0) yield chunk.subarray(0, length);
}
