import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type RowBatch, stageColumns } from "../stage-rows.ts";
import { appendToStage, completeStage, type ReadReport, type Stage, type StageProgress } from "./stage-store.ts";

/** So many items are one transaction: what an interruption loses. */
const itemsPerTransaction = 5_000;

/**
 * Copies rows to the stage, in the order of the file. Of a file that was staged in part, what is there
 * already is read and not copied again; of one that was staged whole, nothing is read.
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
    return staged;
  }
  const reader = batches[Symbol.asyncIterator]();
  let passed = 0;

  /** The next batch that is not staged. */
  async function next(): Promise<RowBatch | undefined> {
    const { items } = stage.progress;
    for (;;) {
      const { done, value: batch } = await reader.next();
      if (done) return undefined;
      if (passed < items && passed + itemsIn(batch) > items) throw new Error("The stage ends within a batch.");
      passed += itemsIn(batch);
      if (passed > items) return batch;
    }
  }

  /** Stores this batch and some after it; resolves to the first that is left. */
  async function store(first: RowBatch): Promise<RowBatch | undefined> {
    let batch: RowBatch | undefined = first;
    async function* text() {
      for (const start = staged.items; batch && staged.items - start < itemsPerTransaction; batch = await next()) {
        staged.items += itemsIn(batch);
        staged.places += batch.places;
        staged.areas += batch.areas;
        staged.skipped += batch.skipped;
        progress(staged);
        yield batch.text;
      }
    }
    await appendToStage(db, name, async () => {
      await db.copy(`${stage.table} (${stageColumns})`, text());
      return staged;
    });
    return batch;
  }

  try {
    for (let batch = await next(); batch;) batch = await store(batch);
  } finally {
    await reader.return?.();
  }
  await completeStage(db, name, read);
  progress(staged);
  return staged;
}

function itemsIn({ places, areas, skipped }: RowBatch): number {
  return places + areas + skipped;
}
