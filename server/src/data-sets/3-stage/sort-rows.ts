import type { RowBatch } from "./stage-rows.ts";

const chunkBytes = 256 * 1024;

/** More rows than batches that are sorted together have: a cell and a row's position then fit one exact number. */
const rowsMax = 2 ** 23;

/**
 * What puts rows in the order of their cells, those of one cell in the order they had. It gives them back as COPY text,
 * in memory that it uses again the next time.
 */
export function createRowSorter() {
  let sorted = new Uint8Array();

  return (batches: readonly RowBatch[]): Uint8Array[] => {
    const rows = batches.reduce((sum, { ends }) => sum + ends.length, 0);
    if (rows >= rowsMax) throw new Error("So many rows are not sorted at once.");
    const bytes = batches.reduce((sum, { text }) => sum + text.length, 0);
    if (sorted.length < bytes) sorted = new Uint8Array(bytes);
    const keys = new Float64Array(rows);
    const spans = new Uint32Array(3 * rows);
    let count = 0;
    batches.forEach(({ ends, cells }, index) => {
      for (let row = 0; row < ends.length; row += 1) {
        keys[count] = (cells[row] ?? 0) * rowsMax + count;
        spans[3 * count] = index;
        spans[3 * count + 1] = ends[row - 1] ?? 0;
        spans[3 * count + 2] = ends[row] ?? 0;
        count += 1;
      }
    });
    let length = 0;
    for (const key of keys.sort()) {
      const at = 3 * (key % rowsMax);
      const row = batches[spans[at] ?? 0]?.text.subarray(spans[at + 1], spans[at + 2]);
      if (!row) continue;
      sorted.set(row, length);
      length += row.length;
    }
    return chunksOf(sorted.subarray(0, length));
  };
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}
