import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * A restored installation does no work until an operator says that the original no longer runs: both would deliver the
 * same webhooks and collect the same jobs. The hold is a row of the table `installation`, written by the restore.
 */
const heldSince = "work_held_since";

export const heldSentence =
  "this installation was restored and holds its deliveries, jobs, collections and exports; when the original no longer runs, run `npx waypost resume`";

/** Part of the transaction that restores the rows. */
export const holdWork = sql`
  insert into installation (name, value)
  values (${heldSince}, now()::text)
  on conflict (name) do update set value = excluded.value
`;

/** False when nothing was held. */
export async function releaseWork(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from installation
    where name = ${heldSince}
  `);
  return rowCount === 1;
}

export async function isWorkHeld(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ isHeld: boolean }>(sql`
    select exists (select from installation where name = ${heldSince}) as "isHeld"
  `);
  return rows[0]?.isHeld ?? false;
}
