import type { Queryable } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { isSingleEntry } from "./ledger-roll-up.ts";

export type NewCharge = {
  kind: "charge" | "reserve";
  /** What is paid for; each costs `units`. */
  references: readonly string[];
  /** Who uses the units, one for each reference: an API key's id or a person; null when nobody says. */
  actors: readonly (string | null)[];
  /** The references were just generated, so none of them can have been charged before. */
  areNew: boolean;
  units: number;
  month: string;
  now: Date;
  /** Of a reservation: until when it may be open. */
  leaseUntil: Date | null;
  defaultAllowance: number;
};

/**
 * Raises the counter within the allowance and enters the reason in the ledger; resolves to undefined
 * when the allowance does not suffice, or when one of the references has been charged already.
 *
 * One statement, because it precedes every answer. Its guard is in the update: a reader
 * that decided first would let two callers take the last unit. Two callers with one reference at
 * once are stopped by the unique index, which undoes the whole statement.
 */
export async function insertCharge(db: Queryable, organizationId: string, entry: NewCharge) {
  const { kind, references, actors, areNew, units, month, now, defaultAllowance } = entry;
  const { rows } = await db.query<{ used: number; allowance: number }>(sql`
    with granted as (
      select ${grantedUnits(organizationId, defaultAllowance)} as allowance
    ),
    counted as (
      insert into usage_months (organization_id, month, used)
      select ${organizationId}::uuid, ${month}::date, ${units * references.length}::bigint
      from granted
      where ${units * references.length}::bigint <= granted.allowance
        ${areNew ? sql`` : sql`and not exists (select from ledger_entries where ${isCharge(organizationId, references)})`}
      on conflict (organization_id, month) do update
      set used = usage_months.used + excluded.used
      where usage_months.used + excluded.used <= (select allowance from granted)
      returning used
    ),
    entered as (
      insert into ledger_entries (organization_id, month, kind, units, reference, created_at, actor)
      select ${organizationId}, ${month}, ${kind}::text, ${units}, reference, ${now}, actor
      from counted, unnest(${references}::text[], ${actors}::text[]) as item (reference, actor)
    ) ${kind === "reserve" ? opened(entry, organizationId) : sql``}
    select counted.used, granted.allowance ${kind === "reserve" && !isTransaction(db) ? withoutFlush : sql``}
    from counted, granted
  `);
  return rows[0];
}

/** Part of the charging statement: opens reservations, which can be released until they are settled. */
function opened({ references, leaseUntil }: NewCharge, organizationId: string): Sql {
  return sql`, opened as (
    insert into reservations (organization_id, reference, lease_until)
    select ${organizationId}, reference, ${leaseUntil}::timestamptz
    from counted, unnest(${references}::text[]) as reference
  )`;
}

// A reservation on its own need not wait for the disk: lost in a crash, it took nothing, and
// whatever makes it final later is flushed after it in the same log. So the counter's row, which
// all searches of an organization share, is locked for no longer than the statement runs.
const withoutFlush = sql`, set_config('synchronous_commit', 'off', true)`;

function isTransaction(db: Queryable): boolean {
  return "inTransaction" in db;
}

/** Closes a reservation for good; false when it is not open any more. */
export async function deleteReservation(db: Queryable, organizationId: string, reference: string, now: Date) {
  const { rowCount } = await db.query(sql`
    delete from reservations
    where organization_id = ${organizationId}
      and reference = ${reference}
      and lease_until > ${now}
  `);
  return rowCount === 1;
}

export type NewRelease = {
  units: number;
  reference: string;
  now: Date;
  /** Whether a reservation is given back that is not open any more. */
  evenSettled: boolean;
};

/** Gives back a charge or a reservation; false when there is none, or for the second time. */
export async function insertRelease(
  db: Queryable,
  organizationId: string,
  { units, reference, now, evenSettled }: NewRelease,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    with closed as (
      delete from reservations
      where organization_id = ${organizationId}
        and reference = ${reference}
      returning reference
    ),
    given_back as (
      insert into ledger_entries (organization_id, month, kind, units, reference, created_at, actor)
      select organization_id, month, 'release', -least(units, ${units}::bigint), reference, ${now}, actor
      from ledger_entries
      where ${isCharge(organizationId, [reference])}
        and (kind = 'charge' or ${evenSettled}::boolean or exists (select from closed))
      on conflict (reference, organization_id) where kind = 'release' do nothing
      returning month, units
    )
    update usage_months
    set used = usage_months.used + given_back.units
    from given_back
    where usage_months.organization_id = ${organizationId}
      and usage_months.month = given_back.month
  `);
  return rowCount === 1;
}

/** Without an organization in front: the sweep looks after everyone's. */
export async function listLapsedReservations(db: Queryable, now: Date, limit: number) {
  const { rows } = await db.query<{ organizationId: string; reference: string }>(sql`
    select organization_id as "organizationId", reference
    from reservations
    where lease_until <= ${now}
    order by lease_until
    limit ${limit}
  `);
  return rows;
}

export async function findUsage(db: Queryable, organizationId: string, month: string, defaultAllowance: number) {
  const { rows } = await db.query<{ used: number; allowance: number; isDefault: boolean }>(sql`
    select
      coalesce(
        (select used from usage_months where organization_id = ${organizationId} and month = ${month}::date), 0
      ) as used,
      ${grantedUnits(organizationId, defaultAllowance)} as allowance,
      not exists (select from allowances where organization_id = ${organizationId}) as "isDefault"
  `);
  const [row] = rows;
  if (!row) throw new Error("a select without a table returned no row");
  return row;
}

export async function hasCharge(db: Queryable, organizationId: string, reference: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select
    from ledger_entries
    where ${isCharge(organizationId, [reference])}
  `);
  return rowCount > 0;
}

/** Grants an organization its own allowance; null gives it the default again. */
export async function updateAllowance(db: Queryable, organizationId: string, units: number | null): Promise<void> {
  if (units === null) {
    await db.query(sql`
      delete from allowances
      where organization_id = ${organizationId}
    `);
    return;
  }
  await db.query(sql`
    insert into allowances (organization_id, units_per_month)
    values (${organizationId}, ${units})
    on conflict (organization_id) do update
    set units_per_month = excluded.units_per_month
  `);
}

export type MonthUsage = { organizationId: string; month: string; used: number };

/** The counters of these organizations from a month on, newest first. */
export async function listUsage(db: Queryable, organizationIds: readonly string[], since: string) {
  const { rows } = await db.query<MonthUsage>(sql`
    select organization_id as "organizationId", to_char(month, 'YYYY-MM') as month, used
    from usage_months
    where organization_id = any(${organizationIds}::uuid[])
      and month >= ${since}::date
    order by usage_months.month desc, organization_id
  `);
  return rows;
}

export type DayUsage = { day: string; searches: number; jobs: number; other: number };

/** The most entries that one count by day reads; older ones are left out. */
const countedEntriesMax = 100_000;
const actorsMax = 200;

/** Units net of refunds per day in UTC and by what they paid for, oldest first. Days without entries are among them. */
export async function listDayUsage(db: Queryable, organizationId: string, since: Date, now: Date): Promise<DayUsage[]> {
  const { rows } = await db.query<DayUsage>(sql`
    with latest as (
      select reference, units, created_at
      from ledger_entries
      where organization_id = ${organizationId}
        and ${isSingleEntry}
      order by id desc
      limit ${countedEntriesMax}
    )
    select to_char(day, 'YYYY-MM-DD') as day,
      coalesce(sum(units) filter (where reference like 'search/%'), 0)::bigint as searches,
      coalesce(sum(units) filter (where reference like 'job_%'), 0)::bigint as jobs,
      coalesce(sum(units) filter (where reference not like 'search/%' and reference not like 'job_%'), 0)::bigint
        as other
    from generate_series(
      (${since}::timestamptz at time zone 'UTC')::date, (${now}::timestamptz at time zone 'UTC')::date, interval '1 day'
    ) as day
    left join latest on (latest.created_at at time zone 'UTC')::date = day::date
    group by day
    order by day
  `);
  return rows;
}

export type ActorUsage = { operation: "search" | "job" | "collection" | "other"; actor: string | null; units: number };

/** Units net of refunds since a moment, by what they paid for and who used them; the most first. */
export async function listActorUsage(db: Queryable, organizationId: string, since: Date): Promise<ActorUsage[]> {
  const { rows } = await db.query<ActorUsage>(sql`
    with latest as (
      select reference, units, actor, created_at
      from ledger_entries
      where organization_id = ${organizationId}
        and ${isSingleEntry}
      order by id desc
      limit ${countedEntriesMax}
    )
    select actor, sum(units)::bigint as units,
      case
        when reference like 'search/%' then 'search'
        when reference like 'job_%' then 'job'
        when reference like 'col_%' then 'collection'
        else 'other'
      end as operation
    from latest
    where created_at >= ${since}
    group by operation, actor
    having sum(units) <> 0
    order by units desc, operation, actor
    limit ${actorsMax}
  `);
  return rows;
}

export type LedgerEntry = {
  organizationId: string;
  kind: "charge" | "reserve" | "release";
  units: number;
  reference: string;
  createdAt: Date;
};

/** The latest entries of these organizations, newest first. */
export async function listLedger(db: Queryable, organizationIds: readonly string[], limit: number) {
  const { rows } = await db.query<LedgerEntry>(sql`
    select latest.organization_id as "organizationId", latest.kind, latest.units, latest.reference,
      latest.created_at as "createdAt"
    from unnest(${organizationIds}::uuid[]) as wanted (organization_id)
    cross join lateral (
      select id, organization_id, kind, units, reference, created_at
      from ledger_entries
      where ledger_entries.organization_id = wanted.organization_id
      order by id desc
      limit ${limit}
    ) as latest
    order by latest.id desc
    limit ${limit}
  `);
  return rows;
}

/** Matches the entries that charged or reserved units for these references. */
function isCharge(organizationId: string, references: readonly string[]): Sql {
  // Not as an equation, which would offer the planner the primary key and thereby all of the organization's entries.
  return sql`reference = any(${references}::text[]) and kind <> 'release'
    and organization_id is not distinct from ${organizationId}`;
}

function grantedUnits(organizationId: string, defaultAllowance: number) {
  return sql`coalesce(
    (select units_per_month from allowances where organization_id = ${organizationId}), ${defaultAllowance}::bigint
  )`;
}
