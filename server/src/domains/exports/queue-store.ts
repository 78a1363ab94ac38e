import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type ClaimedExport, type ErrorCode, type Export, lossesMax, type StoredFile } from "./export.ts";
import { exportColumns, exportsQueuedChannel, toExport } from "./store.ts";

/** What every write of a worker must name: whose export, which, and the lease it was claimed under. */
export type Lease = Pick<ClaimedExport, "organizationId" | "uuid" | "leaseToken">;

type Row = Parameters<typeof toExport>[0];
type ClaimOptions = { leaseSeconds: number; withQuarantined: boolean };

/**
 * Claims an export that is due. Organizations with little running come first, so that one with many
 * exports does not keep the others waiting. An export that lost its worker once too often comes back
 * as failed.
 */
export async function claimDueExport(
  db: Queryable,
  { leaseSeconds, withQuarantined }: ClaimOptions,
): Promise<ClaimedExport | undefined> {
  const { rows } = await db.query<Row & Omit<ClaimedExport, keyof Export>>(sql`
    with due as (
      select id, losses > 0 as is_quarantined, losses + (lease_until is not null)::int as losses_now
      from exports
      where finished_at is null
        and coalesce(lease_until, run_at) <= now()
        and (losses = 0 or ${withQuarantined})
      order by (
        select count(*)
        from exports as other
        where other.organization_id = exports.organization_id
          and other.finished_at is null
          and other.lease_until > now()
      ), coalesce(lease_until, run_at)
      limit 1
      for update skip locked
    )
    update exports
    set status = case when losses_now < ${lossesMax} then 'running' else 'failed' end,
      error_code = case when losses_now < ${lossesMax} then null else 'worker_lost' end,
      finished_at = case when losses_now < ${lossesMax} then null else now() end,
      lease_until = case when losses_now < ${lossesMax} then now() + make_interval(secs => ${leaseSeconds}) end,
      lease_token = lease_token + 1,
      attempt = attempt + 1,
      losses = losses_now,
      started_at = coalesce(started_at, now())
    from due
    where exports.id = due.id
    returning ${exportColumns}, attempt, losses, lease_token as "leaseToken", started_at as "startedAt",
      due.is_quarantined as "isQuarantined"
  `);
  return rows[0] && toExport(rows[0]);
}

/** Lengthens leases; resolves to the exports that are still held. */
export async function renewExportLeases(
  db: Queryable,
  leases: readonly Lease[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(sql`
    update exports
    set lease_until = now() + make_interval(secs => ${leaseSeconds})
    from unnest(${leases.map(({ uuid }) => uuid)}::uuid[], ${leases.map(({ leaseToken }) => leaseToken)}::bigint[])
      as held (id, token)
    where exports.id = held.id
      and exports.lease_token = held.token
      and exports.status = 'running'
    returning exports.id
  `);
  return new Set(rows.map(({ id }) => id));
}

/** Puts an export off. False when the lease was lost meanwhile. */
export async function postponeExport(
  db: Queryable,
  { organizationId, uuid, leaseToken }: Lease,
  { delaySeconds, costsAttempt }: { delaySeconds: number; costsAttempt: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update exports
    set run_at = now() + make_interval(secs => ${delaySeconds}), lease_until = null,
      attempt = attempt - ${costsAttempt ? 0 : 1}, lease_token = lease_token + 1
    where organization_id = ${organizationId}
      and id = ${uuid}
      and lease_token = ${leaseToken}
      and status = 'running'
  `);
  return rowCount === 1;
}

type Ending = { file: StoredFile; expiresAt: Date } | { errorCode: ErrorCode };

/** Ends an export with its file or its reason; undefined when the lease was lost meanwhile. */
export async function finishExport(
  db: Queryable,
  { organizationId, uuid, leaseToken }: Lease,
  ending: Ending,
): Promise<Export | undefined> {
  const { file, expiresAt, errorCode } = { file: null, expiresAt: null, errorCode: null, ...ending };
  const { rows } = await db.query<Row>(sql`
    update exports
    set status = ${file ? "ready" : "failed"}, error_code = ${errorCode}, row_count = ${file?.rowCount ?? null},
      size_bytes = ${file?.sizeBytes ?? null}, sha256 = ${file?.sha256 ?? null}, file_key = ${file?.key ?? null},
      storage = ${file?.storage ?? null}, expires_at = ${expiresAt}, finished_at = now(), lease_until = null
    where organization_id = ${organizationId}
      and id = ${uuid}
      and lease_token = ${leaseToken}
      and status = 'running'
    returning ${exportColumns}
  `);
  return rows[0] && toExport(rows[0]);
}

export async function notifyExportsQueued(db: Queryable): Promise<void> {
  await db.query(sql`select pg_notify(${exportsQueuedChannel}, '')`);
}
