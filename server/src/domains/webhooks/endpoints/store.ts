import type { Queryable, Transaction } from "../../../platform/postgres/database.ts";
import { type Sql, sql } from "../../../platform/postgres/sql.ts";
import type { DisabledReason, Endpoint, EndpointStatus } from "./endpoint.ts";
import { attemptsRevokedChannel } from "../events/channels.ts";
import type { EventType } from "../events/event-types.ts";

/** Resolves to the id of an endpoint that may be bound, or to undefined. */
export async function findEndpointId(db: Queryable, organizationId: string, endpointId: string) {
  return (await findEndpoint(db, organizationId, endpointId))?.id;
}

export async function findEndpoint(db: Queryable, organizationId: string, endpointId: string) {
  const { rows } = await db.query<Endpoint>(selectEndpoint(organizationId, endpointId));
  return rows[0];
}

/** Finds an endpoint and keeps others from changing it, or from pinning to its secret, until the transaction ends. */
export async function findEndpointForUpdate(tx: Transaction, organizationId: string, endpointId: string) {
  const { rows } = await tx.query<Endpoint>(sql`${selectEndpoint(organizationId, endpointId)} for update`);
  return rows[0];
}

function selectEndpoint(organizationId: string, endpointId: string): Sql {
  return sql`
    select ${endpointColumns}
    from webhook_endpoints
    where organization_id = ${organizationId}
      and id = ${endpointId}
      and deleted_at is null
  `;
}

/** Newest first; `after` is the last endpoint of the page before. */
export async function listEndpoints(db: Queryable, organizationId: string, after: string | undefined, limit: number) {
  const { rows } = await db.query<Endpoint>(sql`
    select ${endpointColumns}
    from webhook_endpoints
    where organization_id = ${organizationId}
      and deleted_at is null
      and id < ${after ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}
    order by id desc
    limit ${limit}
  `);
  return rows;
}

/** Counts an organization's endpoints, and keeps others from adding one until the transaction ends. */
export async function countEndpointsForInsert(tx: Transaction, organizationId: string): Promise<number> {
  await tx.query(sql`
    select id
    from organizations
    where id = ${organizationId}
    for no key update
  `);
  const { rows } = await tx.query<{ count: number }>(sql`
    select count(*) as count
    from webhook_endpoints
    where organization_id = ${organizationId}
      and deleted_at is null
  `);
  return rows[0]?.count ?? 0;
}

export type NewEndpoint = Pick<Endpoint, "id" | "url" | "description" | "createdAt"> & {
  eventTypes: readonly EventType[];
};

export async function insertEndpoint(
  db: Queryable,
  organizationId: string,
  { id, url, eventTypes, description, createdAt }: NewEndpoint,
): Promise<Endpoint> {
  const { rows } = await db.query<Endpoint>(sql`
    insert into webhook_endpoints
      (id, organization_id, url, event_types, description, status, secret_version, created_at, updated_at)
    values
      (${id}, ${organizationId}, ${url}, ${eventTypes}, ${description}, 'active', 1, ${createdAt}, ${createdAt})
    returning ${endpointColumns}
  `);
  const [row] = rows;
  if (!row) throw new Error("insert returned no row");
  return row;
}

export type EndpointChange = {
  url: string;
  eventTypes: readonly EventType[];
  description: string | null;
  status: EndpointStatus;
  statusReason: DisabledReason | null;
  updatedAt: Date;
};

/** Changes what its owner may change. Leaving disabled resets the failure count. */
export async function updateEndpoint(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { url, eventTypes, description, status, statusReason, updatedAt }: EndpointChange,
): Promise<Endpoint> {
  const { rows } = await db.query<Endpoint>(sql`
    update webhook_endpoints
    set url = ${url}, event_types = ${eventTypes}, description = ${description}, status = ${status},
      status_reason = ${statusReason}, updated_at = ${updatedAt},
      terminal_failures = case when status = 'disabled' and ${status} <> 'disabled' then 0 else terminal_failures end,
      warned_at = case when status = 'disabled' and ${status} <> 'disabled' then null else warned_at end
    where organization_id = ${organizationId}
      and id = ${endpointId}
    returning ${endpointColumns}
  `);
  const [row] = rows;
  if (!row) throw new Error("update returned no row");
  return row;
}

export async function updateSecretVersion(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { version, updatedAt }: { version: number; updatedAt: Date },
): Promise<Endpoint> {
  const { rows } = await db.query<Endpoint>(sql`
    update webhook_endpoints
    set secret_version = ${version}, updated_at = ${updatedAt}
    where organization_id = ${organizationId}
      and id = ${endpointId}
    returning ${endpointColumns}
  `);
  const [row] = rows;
  if (!row) throw new Error("update returned no row");
  return row;
}

export async function updateDeleted(db: Queryable, organizationId: string, endpointId: string, now: Date) {
  await db.query(sql`
    update webhook_endpoints
    set deleted_at = ${now}, updated_at = ${now}
    where organization_id = ${organizationId}
      and id = ${endpointId}
  `);
}

/** Disables an endpoint because of its target, unless it has another target by now. */
export async function updateDisabled(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { reason, url, now }: { reason: DisabledReason; url: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update webhook_endpoints
    set status = 'disabled', status_reason = ${reason}, updated_at = ${now}
    where organization_id = ${organizationId}
      and id = ${endpointId}
      and url = ${url}
      and status <> 'disabled'
      and deleted_at is null
  `);
  return rowCount === 1;
}

export async function notifyAttemptsRevoked(db: Queryable, endpointId: string) {
  await db.query(sql`select pg_notify(${attemptsRevokedChannel}, ${endpointId})`);
}

const endpointColumns = sql`
  id, organization_id as "organizationId", url, event_types as "eventTypes", description, status,
  status_reason as "statusReason", warned_at as "warnedAt", secret_version as "secretVersion",
  created_at as "createdAt", updated_at as "updatedAt"
`;
