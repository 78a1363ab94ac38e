import type { Queryable } from "../../platform/postgres/database.ts";
import { createLeases, isDue, type Lease, lossesNow, runOrFail } from "../../platform/postgres/leases.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type ClaimedExport, type ErrorCode, type Export, lossesMax, type StoredFile } from "./export.ts";
import { exportColumns, exportsQueuedChannel, toExport } from "./store.ts";

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
      select id, losses > 0 as is_quarantined, ${lossesNow} as losses_now
      from exports
      where finished_at is null
        and ${isDue}
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
    set ${runOrFail({ mayRun: sql`losses_now < ${lossesMax}`, leaseSeconds })},
      attempt = attempt + 1
    from due
    where exports.id = due.id
    returning ${exportColumns}, attempt, losses, lease_token as "leaseToken", started_at as "startedAt",
      due.is_quarantined as "isQuarantined"
  `);
  return rows[0] && toExport(rows[0]);
}

export const exportLeases = createLeases({
  table: sql`exports`,
  isHeld: sql`status = 'running'`,
  wakeChannel: exportsQueuedChannel,
});

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
