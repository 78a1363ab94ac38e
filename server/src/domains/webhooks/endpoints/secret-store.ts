import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";

export type NewSecret = { version: number; sealed: Buffer; createdAt: Date };

export async function insertSecret(db: Queryable, endpointId: string, { version, sealed, createdAt }: NewSecret) {
  await db.query(sql`
    insert into webhook_secrets (endpoint_id, version, sealed, created_at)
    values (${endpointId}, ${version}, ${sealed}, ${createdAt})
  `);
}

/** Lets the version that was current live on beside its successor. */
export async function updateSuperseded(db: Queryable, endpointId: string, version: number, now: Date) {
  await db.query(sql`
    update webhook_secrets
    set superseded_at = ${now}
    where endpoint_id = ${endpointId}
      and version = ${version}
  `);
}

export async function deleteSecretsBefore(db: Queryable, endpointId: string, version: number) {
  await db.query(sql`
    delete from webhook_secrets
    where endpoint_id = ${endpointId}
      and version < ${version}
  `);
}

export async function deleteSecrets(db: Queryable, endpointId: string) {
  await db.query(sql`
    delete from webhook_secrets
    where endpoint_id = ${endpointId}
  `);
}

export async function findSealedSecret(
  db: Queryable,
  endpointId: string,
  version: number,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ sealed: Buffer }>(sql`
    select sealed
    from webhook_secrets
    where endpoint_id = ${endpointId}
      and version = ${version}
  `);
  return rows[0]?.sealed;
}

/** Whether a version is still there to sign with. */
export async function hasSecret(db: Queryable, endpointId: string, version: number): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select 1 as found
    from webhook_secrets
    where endpoint_id = ${endpointId}
      and version = ${version}
    for share
  `);
  return rowCount === 1;
}

/** Removes superseded versions whose overlap is over and which no delivery needs any more. */
export async function deleteDrainedSecrets(db: Queryable, supersededBefore: Date, batch: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from webhook_secrets
    where (endpoint_id, version) in (
      select secrets.endpoint_id, secrets.version
      from webhook_secrets as secrets
      where secrets.superseded_at < ${supersededBefore}
        and not exists (
          select 1
          from webhook_deliveries as deliveries
          where deliveries.endpoint_id = secrets.endpoint_id
            and deliveries.secret_version = secrets.version
            and deliveries.run_at is not null
        )
      limit ${batch}
      for update skip locked
    )
  `);
  return rowCount;
}

export type SealedSecret = { endpointId: string; version: number; sealed: Buffer };

/** The secrets after a given one, in order, a batch at a time; for every organization. */
export async function listSealedSecrets(
  db: Queryable,
  after: { endpointId: string; version: number },
  batch: number,
): Promise<SealedSecret[]> {
  const { rows } = await db.query<SealedSecret>(sql`
    select endpoint_id as "endpointId", version, sealed
    from webhook_secrets
    where (endpoint_id, version) > (${after.endpointId}, ${after.version})
    order by endpoint_id, version
    limit ${batch}
    for update
  `);
  return rows;
}

export async function updateSealed(db: Queryable, { endpointId, version, sealed }: SealedSecret) {
  await db.query(sql`
    update webhook_secrets
    set sealed = ${sealed}
    where endpoint_id = ${endpointId}
      and version = ${version}
  `);
}
