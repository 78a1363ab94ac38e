import { setImmediate as turn } from "node:timers/promises";
import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { type RowBatch, stageColumns } from "./stage-rows.ts";
import { createRowSorter } from "./sort-rows.ts";
import { appendToStage, completeStage, type ReadReport, type Stage, type StageProgress } from "./stage-store.ts";

/** The most items, and bytes of rows, of a transaction. An interruption loses one transaction and the rows read meanwhile. */
const itemsPerTransaction = 5_000;
const bytesPerTransaction = 4 * 1024 * 1024;

/**
 * Copies rows to the stage, those of a transaction in the order of their cells: what is then stored in that order lies
 * together, and a page of the stage is read once and not for each of its rows. Of a file that was staged in part, what
 * is there already is read and not copied again; of one that was staged whole, nothing is read.
 */
export async function stageRows(
  db: BulkConnection,
  { name, stage, read }: { name: string; stage: Stage; read: ReadReport },
  batches: AsyncIterable<RowBatch>,
  progress: (staged: StageProgress) => void,
): Promise<StageProgress> {
  const staged = { ...stage.progress };
  if (stage.skippedRows) {
    read.skipped = stage.skippedRows;
    if (stage.observedAt) read.observedAt = stage.observedAt.toISOString();
    return staged;
  }
  const sortRows = createRowSorter();
  let passed = 0;
  let collected: RowBatch[] = [];
  let items = 0;
  let bytes = 0;
  let storing = Promise.resolve();

  /** While the database takes these rows, the next are read. */
  async function store(): Promise<void> {
    const [rows, until] = [collected, { ...staged }];
    [collected, items, bytes] = [[], 0, 0];
    await storing;
    storing = appendToStage(db, name, async () => {
      await db.copy(`${stage.table} (${stageColumns})`, sortRows(rows));
      return until;
    });
    storing.catch(() => undefined); // awaited with the next, or at the end
  }

  try {
    for await (const batch of batches) {
      const known = stage.progress.items;
      if (passed < known && passed + itemsIn(batch) > known) throw new Error("The stage ends within a batch.");
      passed += itemsIn(batch);
      if (passed <= known) continue;
      collected.push(batch);
      items += itemsIn(batch);
      bytes += batch.text.length;
      staged.items += itemsIn(batch);
      staged.places += batch.places;
      staged.areas += batch.areas;
      staged.skipped += batch.skipped;
      progress(staged);
      await turn(); // or batches that are made in this thread would leave none to the connection
      if (items >= itemsPerTransaction || bytes >= bytesPerTransaction) await store();
    }
    if (collected.length > 0) await store();
    await storing;
  } catch (error) {
    await storing.catch(() => undefined);
    throw error;
  }
  await completeStage(db, name, read);
  progress(staged);
  return staged;
}

function itemsIn({ ends, skipped }: RowBatch): number {
  return ends.length + skipped;
}
