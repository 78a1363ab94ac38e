import type { Queryable } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** What every write of a worker must name: whose row, which, and the lease it was claimed under. */
export type Lease = { organizationId: string; uuid: string; leaseToken: number };

type LeasedTable = {
  table: Sql;
  /** Holds for the rows that a worker may still write to. */
  isHeld: Sql;
  /** The channel that wakes the workers of this queue. */
  wakeChannel: string;
};

/** What the claims of all queues have in common: when a row is due, and how often it lost its worker by then. */
export const isDue = sql`coalesce(lease_until, run_at) <= now()`;
export const lossesNow = sql`losses + (lease_until is not null)::int`;

/** So many seconds from now, by the clock of the database. */
export function inSeconds(seconds: number): Sql {
  return sql`now() + make_interval(secs => ${seconds})`;
}

/** The columns of a claimed row, which runs, or has failed when it lost its worker once too often. */
export function runOrFail({ mayRun, leaseSeconds }: { mayRun: Sql; leaseSeconds: number }): Sql {
  return sql`
    status = case when ${mayRun} then 'running' else 'failed' end,
    error_code = case when ${mayRun} then null else 'worker_lost' end,
    finished_at = case when ${mayRun} then null else now() end,
    lease_until = case when ${mayRun} then ${inSeconds(leaseSeconds)} end,
    lease_token = lease_token + 1,
    losses = losses_now,
    started_at = coalesce(started_at, now())
  `;
}

/** The verbs of a worker on the rows it holds. A row whose lease was lost is left alone by each of them. */
export function createLeases({ table, isHeld, wakeChannel }: LeasedTable) {
  /** Renews leases; resolves to the rows that are still held. */
  async function renew(db: Queryable, leases: readonly Lease[], leaseSeconds: number): Promise<Set<string>> {
    const { rows } = await db.query<{ id: string }>(sql`
      with held as (${lockHeld(leases)})
      update ${table}
      set lease_until = ${inSeconds(leaseSeconds)}
      from held
      where ${table}.id = held.id
      returning ${table}.id
    `);
    return new Set(rows.map(({ id }) => id));
  }

  /** Hands rows back unfinished, without using up an attempt, and wakes the other workers. */
  async function handBack(db: Queryable, leases: readonly Lease[]): Promise<void> {
    await db.query(sql`
      with held as (${lockHeld(leases)}),
      handed_back as (
        update ${table}
        set lease_until = null, run_at = now(), attempt = attempt - 1, lease_token = lease_token + 1
        from held
        where ${table}.id = held.id
        returning ${table}.id
      )
      select pg_notify(${wakeChannel}, '')
      from handed_back
      limit 1
    `);
  }

  /** Those of the leased rows that are still ours, locked in the order in which everyone locks several. */
  function lockHeld(leases: readonly Lease[]): Sql {
    return sql`
      select ${table}.id
      from ${table}
      join unnest(${leases.map(({ uuid }) => uuid)}::uuid[], ${leases.map(({ leaseToken }) => leaseToken)}::bigint[])
        as leased (id, token) on leased.id = ${table}.id
      where ${table}.lease_token = leased.token
        and ${isHeld}
      order by ${table}.id
      for update of ${table}
    `;
  }

  /** Postpones a row, with or without a cost to its attempts; false when the lease was lost meanwhile. */
  async function postpone(
    db: Queryable,
    { organizationId, uuid, leaseToken }: Lease,
    { delaySeconds, costsAttempt }: { delaySeconds: number; costsAttempt: boolean },
  ): Promise<boolean> {
    const { rowCount } = await db.query(sql`
      update ${table}
      set run_at = ${inSeconds(delaySeconds)}, lease_until = null,
        attempt = attempt - ${costsAttempt ? 0 : 1}, lease_token = lease_token + 1
      where organization_id = ${organizationId}
        and id = ${uuid}
        and lease_token = ${leaseToken}
        and ${isHeld}
    `);
    return rowCount === 1;
  }

  async function wake(db: Queryable): Promise<void> {
    await db.query(sql`select pg_notify(${wakeChannel}, '')`);
  }

  return { renew, handBack, postpone, wake };
}
