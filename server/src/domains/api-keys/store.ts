import type { Queryable } from "../../platform/postgres/database.ts";
import { idFromUuid, uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type ApiKey, type Environment, maskedPrefix, type Scope } from "./api-key.ts";

/** Processes that cache keys listen here. The message is a key's public part, or empty for all of them. */
export const keysChangedChannel = "api_keys_changed";

/** A key as the verifier needs it, with what its organization may do. */
export type VerifiableKey = {
  id: string;
  organizationId: string;
  environment: Environment;
  hash: Buffer;
  scopes: Scope[];
  allowedNetworks: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  entitlement: "active" | "inactive";
};

// Without an organization in front: this is the question that finds out which one is asking.
export async function findVerifiableKey(db: Queryable, publicPart: string): Promise<VerifiableKey | undefined> {
  const { rows } = await db.query<VerifiableKey>(sql`
    select
      api_keys.id,
      api_keys.organization_id as "organizationId",
      api_keys.environment,
      api_keys.hash,
      api_keys.scopes,
      api_keys.allowed_networks as "allowedNetworks",
      api_keys.expires_at as "expiresAt",
      api_keys.revoked_at as "revokedAt",
      organizations.entitlement
    from api_keys
    join organizations on organizations.id = api_keys.organization_id
    where api_keys.public_part = ${publicPart}
  `);
  return rows[0];
}

export type NewKey = {
  id: string;
  environment: Environment;
  name: string;
  publicPart: string;
  hash: Buffer;
  scopes: readonly Scope[];
  allowedNetworks: readonly string[];
  expiresAt: Date | null;
};

/** Inserts a key; resolves to undefined when another one has its public part. */
export async function insertKey(db: Queryable, organizationId: string, key: NewKey): Promise<ApiKey | undefined> {
  const { rows } = await db.query<KeyRow>(sql`
    insert into api_keys
      (id, organization_id, environment, name, public_part, hash, scopes, allowed_networks, expires_at)
    values
      (${uuidFromId("key", key.id)}, ${organizationId}, ${key.environment}, ${key.name}, ${key.publicPart},
       ${key.hash}, ${key.scopes}, ${key.allowedNetworks}, ${key.expiresAt})
    on conflict (public_part) do nothing
    returning ${keyColumns}
  `);
  return rows[0] && toKey(rows[0]);
}

export async function findKeyByHash(db: Queryable, organizationId: string, publicPart: string, hash: Buffer) {
  const { rows } = await db.query<KeyRow>(sql`
    select ${keyColumns}
    from api_keys
    where organization_id = ${organizationId}
      and public_part = ${publicPart}
      and hash = ${hash}
  `);
  return rows[0] && toKey(rows[0]);
}

export async function listKeys(db: Queryable, organizationId: string): Promise<ApiKey[]> {
  const { rows } = await db.query<KeyRow>(sql`
    select ${keyColumns}
    from api_keys
    where organization_id = ${organizationId}
    order by created_at, id
  `);
  return rows.map(toKey);
}

/** Finds a key and keeps others from changing it until the transaction ends. */
export async function findKeyForUpdate(db: Queryable, organizationId: string, keyId: string) {
  const { rows } = await db.query<KeyRow>(sql`
    select ${keyColumns}
    from api_keys
    where organization_id = ${organizationId}
      and id = ${uuidFromId("key", keyId) ?? null}
    for update
  `);
  return rows[0] && toKey(rows[0]);
}

export async function updateReplaced(
  db: Queryable,
  organizationId: string,
  keyId: string,
  { replacedBy, expiresAt }: { replacedBy: string; expiresAt: Date },
) {
  await db.query(sql`
    update api_keys
    set replaced_by = ${uuidFromId("key", replacedBy)}, expires_at = ${expiresAt}
    where organization_id = ${organizationId}
      and id = ${uuidFromId("key", keyId)}
  `);
}

/** Revokes a key; resolves to undefined when there is none that can still be revoked. */
export async function updateRevoked(db: Queryable, organizationId: string, keyId: string, reason: string, now: Date) {
  const { rows } = await db.query<KeyRow>(sql`
    update api_keys
    set revoked_at = ${now}, revoked_reason = ${reason}
    where organization_id = ${organizationId}
      and id = ${uuidFromId("key", keyId) ?? null}
      and revoked_at is null
    returning ${keyColumns}
  `);
  return rows[0] && toKey(rows[0]);
}

export async function notifyKeyChanged(db: Queryable, key: ApiKey) {
  const publicPart = key.maskedPrefix.slice(-9, -1);
  await db.query(sql`select pg_notify(${keysChangedChannel}, ${publicPart})`);
}

/** For a change that concerns many keys at once: every process reads its keys again. */
export async function notifyKeysChanged(db: Queryable) {
  await db.query(sql`select pg_notify(${keysChangedChannel}, '')`);
}

/** Writes many last uses in one statement; an older use never overwrites a newer one. */
export async function updateLastUses(db: Queryable, uses: ReadonlyMap<string, Date>) {
  await db.query(sql`
    update api_keys
    set last_used_at = greatest(api_keys.last_used_at, uses.used_at)
    from unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) as uses (key_id, used_at)
    where api_keys.id = uses.key_id
  `);
}

type KeyRow = {
  id: string;
  organization_id: string;
  environment: Environment;
  name: string;
  public_part: string;
  scopes: Scope[];
  allowed_networks: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  replaced_by: string | null;
  revoked_at: Date | null;
  revoked_reason: string | null;
};

const keyColumns = sql`
  id, organization_id, environment, name, public_part, scopes, allowed_networks, expires_at,
  last_used_at, created_at, replaced_by, revoked_at, revoked_reason
`;

function toKey(row: KeyRow): ApiKey {
  return {
    id: idFromUuid("key", row.id),
    organizationId: row.organization_id,
    environment: row.environment,
    name: row.name,
    maskedPrefix: maskedPrefix(row.environment, row.public_part),
    scopes: row.scopes,
    allowedNetworks: row.allowed_networks,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    replacedBy: row.replaced_by && idFromUuid("key", row.replaced_by),
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
  };
}
