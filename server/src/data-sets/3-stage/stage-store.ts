import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { dropStage, stageTableOf } from "./stage-tables.ts";
import { stageColumns } from "./stage-rows.ts";

/** How much of a file is staged; `items` counts everything that its reader yielded, in its order. */
export type StageProgress = { items: number; places: number; areas: number; skipped: number };

/** What a reader says of a file beside its items: the rows that cannot be used, and the first of them. */
export type ReadReport = {
  skipped: { count: number; samples: { at: string; reason: string }[] };
  /** The latest date that the publisher gives the file or something in it. */
  observedAt?: string;
};

export type Stage = {
  table: string;
  /** Of this stage and no other, even one of the same name. */
  id: string;
  progress: StageProgress;
  /** Known once the whole file is staged. */
  skippedRows: ReadReport["skipped"] | null;
  observedAt: Date | null;
};

/**
 * Opens the stage of a data set: the one that an interrupted import of the same file left, or an empty one.
 * Its rows are `catalog_stage` for this connection; `row_id` says where a row lies, and stays.
 *
 * The tables are unlogged: they outlive the process and a restart of the server, and cost no more to write
 * than temporary ones. A crash of the server empties them, and with them the row that says how far they are.
 */
export async function openStage(db: BulkConnection, name: string, fingerprint: string | undefined): Promise<Stage> {
  const table = stageTableOf(name);
  const known = fingerprint === undefined ? undefined : await findStage(db, name, fingerprint);
  if (known) await db.query(sql`update catalog_imports set pid = pg_backend_pid() where name = ${name}`);
  else await createStage(db, name, fingerprint);
  await createStageView(db, table);
  const { rows } = await db.query<{ oid: string }>(sql`select ${table}::regclass::oid::text as oid`);
  // The server of a restored backup may give its number out once more; then it is a stage of the same file or none.
  const id = [table, rows[0]?.oid, fingerprint ?? newUuid()].join(" ");
  return {
    table,
    id,
    ...(known ?? { progress: { items: 0, places: 0, areas: 0, skipped: 0 }, skippedRows: null, observedAt: null }),
  };
}

/** For as long as the connection lasts. */
export async function createStageView(db: BulkConnection, table: string): Promise<void> {
  await db.execute(`create temporary view catalog_stage as select ctid as row_id, ${stageColumns} from ${table}`);
}

async function findStage(
  db: Queryable,
  name: string,
  fingerprint: string,
): Promise<Pick<Stage, "progress" | "skippedRows" | "observedAt"> | undefined> {
  const { rows } = await db.query<StageProgress & Pick<Stage, "skippedRows" | "observedAt">>(sql`
    select items, places, areas, skipped, skipped_rows as "skippedRows", observed_at as "observedAt"
    from catalog_imports
    where name = ${name} and fingerprint = ${fingerprint}
  `);
  const [row] = rows;
  if (!row) return undefined;
  const { skippedRows, observedAt, ...progress } = row;
  return { progress, skippedRows, observedAt };
}

async function createStage(db: BulkConnection, name: string, fingerprint: string | undefined): Promise<void> {
  await db.execute("begin");
  await dropStage(db, name);
  await db.execute(`
    create unlogged table ${stageTableOf(name)} (
      line bigint not null,
      kind text not null,
      source_id text not null,
      hash uuid not null,
      cell integer not null,
      latitude double precision not null,
      longitude double precision not null,
      country_code text not null,
      rank smallint not null,
      name_words text not null,
      other_words text not null,
      categories text[] not null,
      contacts text[] not null,
      shown uuid,
      record text not null
    ) with (autovacuum_enabled = false)
  `);
  await db.query(sql`
    insert into catalog_imports (name, stage, fingerprint, pid)
    values (${name}, ${stageTableOf(name)}, ${fingerprint ?? null}, pg_backend_pid())
  `);
  await db.execute("commit");
}

/** Runs the work and notes how far the stage is then, or does neither. */
export async function appendToStage(
  db: BulkConnection,
  name: string,
  append: () => Promise<StageProgress>,
): Promise<void> {
  await db.execute("begin");
  const { items, places, areas, skipped } = await append();
  await db.query(sql`
    update catalog_imports
    set items = ${items}, places = ${places}, areas = ${areas}, skipped = ${skipped}, updated_at = now()
    where name = ${name}
  `);
  await db.execute("commit");
}

/** Notes that the whole file is staged. */
export async function completeStage(
  db: BulkConnection,
  name: string,
  { skipped, observedAt }: ReadReport,
): Promise<void> {
  const table = stageTableOf(name);
  await db.execute(`begin; analyze ${table} (kind, source_id, cell)`);
  if (await hasRepeats(db)) await deleteRepeats(db, table);
  await db.query(sql`
    update catalog_imports
    set skipped_rows = ${JSON.stringify(skipped)}::jsonb, observed_at = ${observedAt ?? null}::timestamptz, updated_at = now()
    where name = ${name}
  `);
  await db.execute("commit");
}

/** Compares hashes, which fit in memory where the ids do not; two ids that share one are looked at once more. */
async function hasRepeats(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ hasRepeats: boolean }>(sql`
    select count(*) > count(distinct hashtextextended(source_id, case kind when 'place' then 0 else 1 end))
      as "hasRepeats"
    from catalog_stage
  `);
  return rows[0]?.hasRepeats ?? true;
}

/** A file may tell of a place twice; what it says last counts. */
async function deleteRepeats(db: BulkConnection, table: string): Promise<void> {
  await db.execute(`
    delete from ${table} earlier
    using (
      select source_id, kind, max(line) as line
      from ${table}
      group by source_id, kind
      having count(*) > 1
    ) repeated
    where earlier.source_id = repeated.source_id
      and earlier.kind = repeated.kind
      and earlier.line < repeated.line
  `);
}
