import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";
import { type BulkConnection, openBulkConnection } from "../../platform/postgres/bulk.ts";
import type { Connection, Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { dropPlaceTables } from "./next-places.ts";
import { numberStoredPlaces } from "./number-places.ts";
import { switchPlaces } from "./switch-places.ts";

/** Waits for an import that runs, which fills them itself. Resolves to false where there is nothing to do. */
export async function fillStoredPlaces(db: Queryable, connection: Connection, signal: AbortSignal): Promise<boolean> {
  const { isFilled } = await readState(db);
  if (isFilled) return false;
  const bulk = await openBulkConnection(connection, signal);
  try {
    await bulk.query(sql`select pg_advisory_lock(${advisoryLocks.catalogIndex})`);
    await fillPlaces(bulk);
  } finally {
    await bulk.end();
  }
  return true;
}

/** What the index of an older program was made of. The start that lists its places leaves it there, for those still beside it. */
export async function dropOlderIndex(db: Queryable): Promise<void> {
  await db.query(sql`
    drop table if exists catalog_blocks, catalog_word_groups, catalog_word_postings, catalog_words, catalog_word_changes,
      catalog_changed_places
  `);
}

/**
 * Lists the places of a catalog that an older program has stored, once, in one transaction: whoever is interrupted
 * begins again. The caller keeps the lock of the index.
 */
export async function fillPlaces(db: BulkConnection): Promise<void> {
  const { generation, isFilled } = await readState(db);
  if (isFilled) return;
  await db.execute("begin");
  await numberStoredPlaces(db);
  await switchPlaces(db, generation);
  await dropPlaceTables(db);
  await db.execute("commit");
}

async function readState(db: Queryable): Promise<{ generation: number; isFilled: boolean }> {
  const { rows } = await db.query<{ generation: number; isFilled: boolean }>(sql`
    select generation, exists (select from catalog_generations g where g.generation = s.generation) as "isFilled"
    from catalog_state s
  `);
  return rows[0] ?? { generation: 0, isFilled: true };
}
