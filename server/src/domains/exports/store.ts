import { idFromUuid } from "../../platform/ids.ts";
import { advisoryLockSpaces } from "../../platform/postgres/advisory-locks.ts";
import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { newestFirst } from "../../platform/postgres/tenant-rows.ts";
import type { Export, Held } from "./export.ts";
import type { Tenant } from "./rows.ts";

type ExportRow = Omit<Export, "id" | "subject" | "file"> & {
  jobIds: string[];
  collectionId: string | null;
  rowCount: number | null;
  sizeBytes: number | null;
  sha256: string | null;
  key: string | null;
  storage: string | null;
};

export const exportColumns = sql`
  exports.id as uuid, exports.organization_id as "organizationId", exports.environment,
  exports.job_ids as "jobIds", exports.collection_id as "collectionId", exports.format, exports.columns, exports.title, exports.status,
  exports.error_code as "errorCode", exports.row_count as "rowCount", exports.size_bytes as "sizeBytes",
  exports.sha256, exports.file_key as key, exports.storage, exports.request_id as "requestId", exports.traceparent,
  exports.webhook_endpoint_id as "webhookEndpointId", exports.created_at as "createdAt",
  exports.expires_at as "expiresAt"
`;

export function toExport<Row extends ExportRow>(row: Row) {
  const { jobIds, collectionId, rowCount, sizeBytes, sha256, key, storage, ...rest } = row;
  const isStored = rowCount !== null && sizeBytes !== null && sha256 !== null && key !== null && storage !== null;
  return {
    ...rest,
    id: idFromUuid("exp", row.uuid),
    subject: { jobIds, collectionId },
    file: isStored ? { rowCount, sizeBytes, sha256, key, storage } : null,
  };
}

export type NewExport = Pick<
  Export,
  "uuid" | "subject" | "format" | "columns" | "title" | "requestId" | "traceparent" | "webhookEndpointId"
> & {
  /** Set when the caller makes the file itself: nobody else claims it before that. */
  leaseSeconds: number | undefined;
};

/** Counts the exports of an organization that have not ended, and keeps others from adding one until the transaction ends. */
export async function countUnfinishedForInsert(tx: Transaction, organizationId: string): Promise<number> {
  await tx.query(sql`
    select pg_advisory_xact_lock(${advisoryLockSpaces.exportQueues}::integer, hashtext(${organizationId}))
  `);
  const { rows } = await tx.query<{ count: number }>(sql`
    select count(*) as count
    from exports
    where organization_id = ${organizationId}
      and finished_at is null
  `);
  return rows[0]?.count ?? 0;
}

/** Inserts an export if the claim, a statement that returns a row when it holds, does; else undefined. */
export async function insertExport(
  db: Queryable,
  { organizationId, environment }: Tenant,
  { uuid, subject, format, columns, title, requestId, traceparent, webhookEndpointId, leaseSeconds }: NewExport,
  claim: Sql,
): Promise<Export | undefined> {
  const isHeld = leaseSeconds !== undefined;
  const { rows } = await db.query<ExportRow>(sql`
    with claimed as (${claim})
    insert into exports (id, organization_id, environment, job_ids, collection_id, format, columns, title, status, request_id,
      traceparent, webhook_endpoint_id, lease_until, lease_token, attempt, started_at)
    select ${uuid}::uuid, ${organizationId}::uuid, ${environment}::text, ${[...subject.jobIds]}::uuid[],
      ${subject.collectionId}::uuid, ${format}::text,
      ${columns && [...columns]}::text[], ${title}::text, ${isHeld ? "running" : "queued"}::text, ${requestId}::text,
      ${traceparent}::text, ${webhookEndpointId}::uuid, now() + make_interval(secs => ${leaseSeconds ?? null}), ${isHeld ? 1 : 0}::bigint,
      ${isHeld ? 1 : 0}::smallint, case when ${isHeld}::boolean then now() end
    from claimed
    returning ${exportColumns}
  `);
  return rows[0] && toExport(rows[0]);
}

export async function findExport(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<Export | undefined> {
  const { rows } = await db.query<ExportRow>(sql`
    select ${exportColumns}
    from exports
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
  `);
  return rows[0] && toExport(rows[0]);
}

/** Without a tenant: a download link carries no key, and its signature is checked against the file found here. */
export async function findLinkedExport(db: Queryable, uuid: string): Promise<Export | undefined> {
  const { rows } = await db.query<ExportRow>(sql`
    select ${exportColumns}
    from exports
    where id = ${uuid}
  `);
  return rows[0] && toExport(rows[0]);
}

/** Newest first. */
export async function listExports(
  db: Queryable,
  tenant: Tenant,
  page: { before: string | undefined; limit: number },
): Promise<Export[]> {
  const { rows } = await db.query<ExportRow>(sql`
    select ${exportColumns}
    from exports
    ${newestFirst(tenant, page)}
  `);
  return rows.map(toExport);
}

/** Deletes an export; undefined when there is none. */
export async function deleteExport(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<Export | undefined> {
  const { rows } = await db.query<ExportRow>(sql`
    delete from exports
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
    returning ${exportColumns}
  `);
  return rows[0] && toExport(rows[0]);
}

/** Deletes every export that holds records of a job or collection. */
export async function deleteExportsOf(
  tx: Transaction,
  { organizationId, environment }: Tenant,
  held: Held,
): Promise<Export[]> {
  const isHeld = "jobId" in held ? sql`${held.jobId}::uuid = any(job_ids)` : sql`collection_id = ${held.collectionId}`;
  const { rows } = await tx.query<ExportRow>(sql`
    delete from exports
    where organization_id = ${organizationId}
      and environment = ${environment}
      and ${isHeld}
    returning ${exportColumns}
  `);
  return rows.map(toExport);
}

/** Expires a batch of files that were kept long enough; resolves to how many. */
export async function updateExpired(db: Queryable, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    update exports
    set status = 'expired'
    where id in (
      select id
      from exports
      where status = 'ready'
        and expires_at <= ${now}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
  `);
  return rowCount;
}

/** Those of these files that a download may still ask for. Of all organizations: the loop that asks tidies a storage. */
export async function listKeptKeys(db: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ key: string }>(sql`
    select file_key as key
    from exports
    where id = any(${keys.map((key) => key.slice(0, 36))}::uuid[])
      and status = 'ready'
  `);
  return new Set(rows.map(({ key }) => key));
}

/** Deletes a batch of finished exports made before the given id; resolves to how many. */
export async function deleteExportsBefore(db: Queryable, firstKept: string, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from exports
    where id in (
      select id
      from exports
      where id < ${firstKept}
        and status in ('failed', 'expired')
      order by id
      limit ${limit}
      for update skip locked
    )
  `);
  return rowCount;
}

/** Workers listen here; the message is empty. */
export const exportsQueuedChannel = "exports_queued";
