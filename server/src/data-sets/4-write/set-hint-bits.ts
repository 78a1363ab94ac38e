import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** Reads what was added to the records since the last time. */
export type Settle = (db: Queryable) => Promise<void>;

/**
 * The first reader of a row notes on its page that the row is committed. Here that happens soon after the commit, while
 * the page is in memory. Once a checkpoint has passed, a server with checksums logs the whole page for such a note, and
 * whatever reads the records first, in most imports the building of indexes, would log the table a second time.
 */
export async function createSettle(db: Queryable): Promise<Settle> {
  let settled = await countBlocks(db);
  return async (session) => {
    const end = await countBlocks(session);
    const [first, last] = [`(${settled},0)`, `(${end},0)`];
    settled = end;
    await session.query(sql`
      select count(*)
      from catalog_records
      where ctid >= ${first}::tid and ctid < ${last}::tid
    `);
  };
}

async function countBlocks(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ blocks: number }>(sql`
    select (pg_relation_size('catalog_records') / current_setting('block_size')::integer)::integer as blocks
  `);
  return rows[0]?.blocks ?? 0;
}
