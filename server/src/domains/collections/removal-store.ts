import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Tenant } from "./store.ts";

/** Deletes a collection, so that nobody finds it, and notes that its cells and records remain; false when there is none. */
export async function deleteCollection(
  tx: Transaction,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    with gone as (
      delete from collections
      where organization_id = ${organizationId}
        and environment = ${environment}
        and id = ${uuid}
      returning id
    )
    insert into removed_collections (id)
    select id
    from gone
  `);
  return rowCount === 1;
}

/**
 * Deletes a batch of the cells and records of the collection that was deleted first, and its note when nothing is left;
 * resolves to how many rows. Of all organizations: the collection that named one is gone.
 */
export async function deleteRemains(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with removed as (
      select id
      from removed_collections
      order by removed_at, id
      limit 1
      for update skip locked
    ), records as (
      delete from collection_results
      using (
        select collection_id, position
        from collection_results
        where collection_id = (select id from removed)
        limit ${limit}
      ) as old
      where collection_results.collection_id = old.collection_id
        and collection_results.position = old.position
      returning 1
    ), cells as (
      delete from collection_cells
      where id in (
        select id
        from collection_cells
        where collection_id = (select id from removed)
        limit ${limit}
      )
      returning 1
    ), deleted as (
      select (select count(*) from records) + (select count(*) from cells) as count
    ), done as (
      delete from removed_collections
      where id = (select id from removed)
        and (select count from deleted) < ${limit}
      returning 1
    )
    select (select count from deleted) + (select count(*) from done) as count
  `);
  return rows[0]?.count ?? 0;
}
