import { advisoryLockSpaces } from "../../platform/postgres/advisory-locks.ts";
import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { asLines, type Sql, sql } from "../../platform/postgres/sql.ts";
import type { StoredBusiness } from "./observation.ts";

/** A key with the business it leads to. */
export type StoredKey = StoredBusiness & { key: string; mergedInto: string | null };

/** As it is stored: what of it is JSON is text. */
type StoredKeyRow = Omit<StoredKey, "fingerprints" | "content"> & { fingerprints: string; content: string | null };

function toStoredKey({ fingerprints, content, ...row }: StoredKeyRow): StoredKey {
  return { ...row, fingerprints: JSON.parse(fingerprints), content: content === null ? null : JSON.parse(content) };
}

// Businesses belong to no organization: all organizations find the same one.

/** Finds what the keys lead to; the content only on request, since it is the larger part. */
export async function listByKeys(
  db: Queryable,
  keys: readonly string[],
  keysWithContent: readonly string[],
): Promise<StoredKey[]> {
  // Not as a join with the keys: while the table is young, that is planned as a scan of all of it.
  const { rows } = await db.query<StoredKeyRow>(sql`
    select
      business_keys.key,
      businesses.id,
      businesses.revision,
      businesses.fingerprints,
      case when business_keys.key = any(${keysWithContent}::text[]) then businesses.content end as content,
      businesses.merged_into as "mergedInto"
    from business_keys
    join businesses on businesses.id = business_keys.business_id
    where business_keys.key = any(${keys}::text[])
  `);
  return rows.map(toStoredKey);
}

/** Whether all these businesses still have the revision named, and none was merged into another. */
export async function areAtRevisions(db: Queryable, revisions: ReadonlyMap<string, number>): Promise<boolean> {
  // As text that needs no escaping, which is the dearer part of sending an array.
  const ids = `{${[...revisions.keys()].join(",")}}`;
  const { rows } = await db.query<{ count: number; sum: string | null }>(sql`
    select count(*) as count, sum(revision) as sum
    from businesses
    where id = any(${ids}::uuid[])
      and merged_into is null
  `);
  // Revisions only rise: when their sum is what it was, each is what it was.
  const sum = [...revisions.values()].reduce((total, revision) => total + BigInt(revision), 0n);
  return rows[0]?.count === revisions.size && BigInt(rows[0].sum ?? 0) === sum;
}

/** Keeps everyone else from writing to these keys until the transaction ends. */
export async function lockKeys(tx: Transaction, numbers: readonly number[]): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(${advisoryLockSpaces.businessKeys}, number)
    from unnest(${numbers}::int[]) as number
  `);
}

/** As listByKeys with all content, and keeps others from changing what is found. */
export async function listByKeysForUpdate(tx: Transaction, keys: readonly string[]): Promise<StoredKey[]> {
  // Another key may lead to the same business, so its row is locked too, in the order of ids.
  const { rows } = await tx.query<StoredKeyRow>(sql`
    select
      business_keys.key,
      businesses.id,
      businesses.revision,
      businesses.fingerprints,
      businesses.content,
      businesses.merged_into as "mergedInto"
    from business_keys
    join businesses on businesses.id = business_keys.business_id
    where business_keys.key = any(${keys}::text[])
    order by businesses.id
    for update of businesses
  `);
  return rows.map(toStoredKey);
}

export type Changes = {
  /** Businesses met for the first time, and stored ones that have changed. */
  created: readonly StoredBusiness[];
  changed: readonly StoredBusiness[];
  keys: ReadonlyMap<string, string>;
  /** From the younger id to the older one of the same business. */
  merges: ReadonlyMap<string, string>;
};

/** Writes everything a page has changed. The caller holds the locks on its keys and rows, so nothing collides. */
export async function writeBusinesses(tx: Transaction, { created, changed, keys, merges }: Changes): Promise<void> {
  if (created.length > 0 || keys.size > 0) {
    await tx.query(sql`
      with stored as (
        insert into businesses (id, revision, fingerprints, content)
        select id, revision, fingerprints, content
        from (${asRows(created)}) as seen
      )
      insert into business_keys (key, business_id)
      select key, business_id
      from unnest(${[...keys.keys()]}::text[], ${[...keys.values()]}::uuid[]) as named (key, business_id)
    `);
  }
  if (changed.length > 0) {
    await tx.query(sql`
      update businesses
      set revision = seen.revision, fingerprints = seen.fingerprints, content = seen.content
      from (${asRows(changed)}) as seen
      where businesses.id = seen.id
    `);
  }
  for (const [younger, older] of merges) {
    await tx.query(sql`
      with merged as (
        update businesses
        set merged_into = ${older}
        where id = ${younger}
      )
      update business_keys
      set business_id = ${older}
      where business_id = ${younger}
    `);
  }
}

function asRows(businesses: readonly StoredBusiness[]): Sql {
  return sql`
    select id, revision, fingerprints, content
    from unnest(
      ${businesses.map(({ id }) => id)}::uuid[],
      ${businesses.map(({ revision }) => revision)}::bigint[],
      ${asLines(businesses.map(({ fingerprints }) => JSON.stringify(fingerprints)))},
      ${asLines(businesses.map(({ content }) => JSON.stringify(content)))}
    ) as listed (id, revision, fingerprints, content)
  `;
}
