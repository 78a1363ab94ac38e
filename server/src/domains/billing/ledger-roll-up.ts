import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** What the reference of an entry that stands for a whole month begins with. */
const rolledUp = "month/";

/** Matches the entries that stand for one movement, not for a whole month. */
export const isSingleEntry = sql`reference not like ${`${rolledUp}%`}`;

/** How many entries one step replaces: about 0.2 s of work, far from the statement timeout. */
const stepEntries = 10_000;

// Entries come in the order of the primary key. For a table younger than its statistics the planner would rather
// read and sort all entries of the organization: 0.8 s at a million of them instead of 0.08 s, and ever more.
const withoutSorting = sql`select set_config('enable_sort', 'off', true)`;

/**
 * One step of rolling up: adds the oldest entries of one organization to the entry of their month, and deletes them;
 * resolves to how many it replaced, 0 when nothing is left.
 *
 * A step is one transaction, so the sum of a month never changes, and a process that dies between two steps leaves
 * nothing to repair. Entries are taken in the order of their ids: a release comes after its charge, so that what is
 * rolled up so far is never less than nothing. A release that was written months after its charge waits for the month
 * that it was written in.
 */
export async function rollUpOldest(db: Database, before: string, limit = stepEntries): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(withoutSorting);
    const organizationId = await findUnrolled(tx, before);
    if (organizationId === undefined) return 0;

    await lockMonths(tx, organizationId, before);
    return replaceOldest(tx, organizationId, { before, limit });
  });
}

/**
 * An organization whose oldest single entry is of a month before this one. One look into the primary key for each
 * organization: the ledger has no index by month, which every charge would pay for.
 */
async function findUnrolled(db: Queryable, before: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organizationId: string }>(sql`
    select organizations.organization_id as "organizationId"
    from (
      select distinct organization_id
      from usage_months
      where month < ${before}::date
    ) as organizations
    cross join lateral (
      select month
      from ledger_entries
      where ledger_entries.organization_id = organizations.organization_id
        and ${isSingleEntry}
      order by id
      limit 1
    ) as oldest
    where oldest.month < ${before}::date
    limit 1
  `);
  return rows[0]?.organizationId;
}

/** Two workers would else enter the same month twice, and the second would fail. */
async function lockMonths(db: Queryable, organizationId: string, before: string): Promise<void> {
  await db.query(sql`
    select
    from usage_months
    where organization_id = ${organizationId}
      and month < ${before}::date
    order by month
    for update
  `);
}

/** The entry of a month takes the first id and the last time of what it replaces: it stays in its place among the others. */
async function replaceOldest(
  db: Queryable,
  organizationId: string,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const { rows } = await db.query<{ replaced: number }>(sql`
    with oldest as materialized (
      select id, month
      from ledger_entries
      where organization_id = ${organizationId}
        and ${isSingleEntry}
      order by id
      limit ${limit}
    ), old as (
      select id
      from oldest
      where month < ${before}::date
      union all
      select id
      from ledger_entries
      where reference = any(array(select distinct ${rolledUp} || to_char(month, 'YYYY-MM') from oldest))
        and kind <> 'release'
        and organization_id is not distinct from ${organizationId}
        and month < ${before}::date
    ), gone as (
      delete from ledger_entries
      where organization_id = ${organizationId}
        and id = any(array(select id from old))
      returning id, month, units, created_at, ${isSingleEntry} as single
    ), entered as (
      insert into ledger_entries (id, organization_id, month, kind, units, reference, created_at)
      overriding system value
      select min(id), ${organizationId}::uuid, month, 'charge', sum(units), ${rolledUp} || to_char(month, 'YYYY-MM'),
        max(created_at)
      from gone
      group by month
      having sum(units) <> 0
    )
    select count(*) filter (where single) as replaced
    from gone
  `);
  return rows[0]?.replaced ?? 0;
}

/**
 * Adds up, over all organizations and months, how far each counter is from the sum of its entries. It reads the whole
 * ledger in one statement, which sees counters and entries of one moment while charges and roll-ups go on.
 */
export async function sumLedgerDifference(db: Database, statementMs: number): Promise<number> {
  const { rows } = await db.transaction(
    (tx) =>
      tx.query<{ difference: number }>(sql`
        select coalesce(sum(abs(coalesce(counted.used, 0) - coalesce(entered.units, 0))), 0)::bigint as difference
        from usage_months as counted
        full join (
          select organization_id, month, sum(units) as units
          from ledger_entries
          group by organization_id, month
        ) as entered on entered.organization_id = counted.organization_id and entered.month = counted.month
      `),
    { statementMs },
  );
  return rows[0]?.difference ?? 0;
}
