import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../platform/clock.ts";
import { type BulkConnection, openBulkConnection } from "../platform/postgres/bulk.ts";
import type { Connection } from "../platform/postgres/database.ts";
import type { RecordItem } from "../places/record.ts";
import { batchRows, type RowBatch } from "./3-stage/stage-rows.ts";
import { dropForgottenStage, dropStage, forgetStage, stageTableOf } from "./3-stage/stage-tables.ts";
import { openStage, type ReadReport, type StageProgress } from "./3-stage/stage-store.ts";
import { stageRows } from "./3-stage/stage.ts";
import { removeFromNext, writeDataSet } from "./4-write/write-records.ts";
import { coverageOf } from "./5-contain/cover.ts";
import { deleteDataSet, openDataSet, switchDataSet } from "./8-publish/data-set-store.ts";
import { fillPlaces } from "./7-index/fill-places.ts";
import { afterSwitch, beginSwitch, commitSwitch } from "./8-publish/switch.ts";
import { completeGeneration } from "./complete-generation.ts";
import { ImportEmpty, SampleUnwanted } from "./errors.ts";
import { withLockedSession } from "./locked-session.ts";
import { openNext } from "./next-generation/generation.ts";
import { withSessions } from "./next-generation/sessions.ts";
import { announcePhase } from "./running-imports.ts";
import { findSample, forgetSample, isSample, noteSampleImported, readSampleState } from "./sample.ts";

export type ImportProgress =
  /** An interrupted import continues: so much of the file is staged, or all of it. */
  | { phase: "resuming"; places: number; areas: number; isRead: boolean }
  | { phase: "reading"; places: number; areas: number }
  | { phase: "storing" }
  /** What follows from the changed records is worked out, and then the place index follows. */
  | { phase: "indexing" };

export type ImportResult = {
  places: number;
  areas: number;
  added: number;
  changed: number;
  closed: number;
  unchanged: number;
  /** Items without a name or a place on the earth. */
  skipped: number;
  /** Places that a later one of the same id replaced. */
  repeated: number;
  /** The first data set of one's own takes the place of the sample. */
  replacedSample?: true;
};

export type ImportOptions = {
  connection: Connection;
  clock: Clock;
  signal: AbortSignal;
  progress?: (progress: ImportProgress) => void;
  /** Of the file and how it is read: an import of the same one continues after an interruption. */
  fingerprint?: string | undefined;
  /** What the reader says of the file; filled when the file need not be read again. */
  read?: ReadReport;
  /** When the file was last written, where it does not say itself of when it is. */
  fileDate?: Date;
  /** Throws when the file has too many unusable rows; nothing is changed then. */
  check?: (read: { places: number; skipped: number }) => void;
  /** Waits until processes that search have the new generation. */
  waitForSearches?: () => Promise<void>;
  /** How many sessions of the database store at once; without it two do, where nobody else uses it. */
  sessions?: 1 | 2;
};

/** `source` is what it can be brought up to date from. */
type DataSet = { name: string; origin: string; source?: object | undefined };

/** Makes a data set what the items say, or leaves the catalog as it was. */
export async function importItems(
  dataSet: DataSet,
  items: AsyncIterable<RecordItem>,
  options: ImportOptions,
): Promise<ImportResult> {
  return importRows(dataSet, batchRows(items), options);
}

/**
 * The same with rows that are made already. They are staged, and made the next generation of the catalog, in bounded
 * transactions. A short one then switches to it; until it commits, searches see the old catalog. What is written
 * survives an interruption, and an import with the same fingerprint continues after it.
 */
export async function importRows(
  dataSet: DataSet,
  batches: AsyncIterable<RowBatch>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { connection, signal } = options;
  const { name } = dataSet;
  let isReading = false;
  try {
    const result = await withLockedSession(connection, name, signal, async (db) => {
      isReading = true;
      const staged = await stage(db, dataSet, batches, options);
      isReading = false;
      return writeAndSwitch(db, dataSet, staged, options);
    });
    await Promise.race([clearStage(connection, name, signal), sleep(clearingMs, undefined, { ref: false })]);
    return result;
  } catch (error) {
    // A file that is refused is refused the next time too; after anything else the stage is worth keeping.
    if (isReading && !signal.aborted) await discardStage(connection, name, signal);
    throw error;
  }
}

/** A staged file; `source` names this stage and no other. */
type Staged = StageProgress & { source: string; observedAt: string | undefined };

async function stage(
  db: BulkConnection,
  { name, origin }: DataSet,
  batches: AsyncIterable<RowBatch>,
  options: ImportOptions,
): Promise<Staged> {
  const { fingerprint, progress = () => undefined, check = () => undefined } = options;
  const { read = { skipped: { count: 0, samples: [] } } }: { read?: ReadReport } = options;
  await announcePhase(db, "reading", name);
  const opened = await openStage(db, name, fingerprint);
  const { items: known, places, areas } = opened.progress;
  if (known > 0) progress({ phase: "resuming", places, areas, isRead: opened.skippedRows !== null });
  const staged = await stageRows(db, { name, stage: opened, read }, batches, (now) =>
    progress({ phase: "reading", places: now.places, areas: now.areas }),
  );
  if (staged.places === 0 && staged.areas === 0) throw ImportEmpty({ origin });
  check({ places: staged.places, skipped: staged.skipped });
  return { ...staged, source: opened.id, observedAt: read.observedAt };
}

async function writeAndSwitch(
  db: BulkConnection,
  dataSet: DataSet,
  staged: Staged,
  options: ImportOptions,
): Promise<ImportResult> {
  const { clock, progress = () => undefined, waitForSearches, fileDate } = options;
  const { name, origin, source } = dataSet;
  await announcePhase(db, "storing", name);
  progress({ phase: "storing" });

  const next = await openNext(db, staged.source);
  await fillPlaces(db);
  const ofSample = isSample(dataSet);
  if (ofSample && (await readSampleState(db)) === undefined) throw SampleUnwanted();
  const replaced = ofSample ? undefined : await findSample(db);
  if (replaced !== undefined) await removeFromNext(db, next, replaced);
  const now = clock.now();
  const id = await openDataSet(db, dataSet, now);
  const written = await withSessions(db, { ...options, places: staged.places }, (sessions) =>
    writeDataSet(sessions, { next, dataSetId: id, stageTable: stageTableOf(name), now }),
  );
  progress({ phase: "indexing" });
  await completeGeneration(db, next, id);
  const places = written.added + written.changed + written.unchanged;
  const coverage = await coverageOf(db, id);

  await beginSwitch(db);
  const observedAt = earlierOf(staged.observedAt === undefined ? fileDate : new Date(staged.observedAt), now);
  await switchDataSet(db, id, { origin, source, importedAt: now, observedAt, places, coverage });
  if (replaced !== undefined) await deleteDataSet(db, replaced);
  await (ofSample ? noteSampleImported(db) : forgetSample(db));
  await forgetStage(db, name);
  await commitSwitch(db, next);

  await afterSwitch(db, waitForSearches);
  const result = { ...written, places, skipped: staged.skipped, repeated: staged.places - places };
  return replaced === undefined ? result : { ...result, replacedSample: true };
}

/** A date that is still to come is no date of what is known. */
function earlierOf(date: Date | undefined, now: Date): Date | undefined {
  return date !== undefined && date > now ? now : date;
}

/** A file system may take seconds to free a large file. The import is done by then, and need not wait for it. */
const clearingMs = 500;

/** Uses another connection: the import has ended, and the next one of the data set may begin. */
async function clearStage(connection: Connection, name: string, signal: AbortSignal): Promise<void> {
  try {
    const db = await openBulkConnection(connection, signal);
    try {
      await db.execute("set lock_timeout = '5s'");
      await dropForgottenStage(db, name);
    } finally {
      await db.end();
    }
  } catch {
    // It stays until the worker sweeps it.
  }
}

/** Uses another connection: that of the import may be in the middle of a transaction, or lost. */
async function discardStage(connection: Connection, name: string, signal: AbortSignal): Promise<void> {
  // Without a database nobody can; the stage is then dropped when it is abandoned for long.
  await withLockedSession(connection, name, signal, (db) => dropStage(db, name)).catch(() => undefined);
}
