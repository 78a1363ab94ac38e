import { businessesOfSources, moveBusiness, placesOfBusinesses } from "../../data-sets/7-index/place-keys.ts";
import { advisoryLocks, advisoryLockSpaces } from "../../platform/postgres/advisory-locks.ts";
import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { asLines, type Sql, sql } from "../../platform/postgres/sql.ts";
import type { StoredBusiness } from "./observation.ts";

/** A key with the business it leads to, and whether the catalog has a place under it. */
export type StoredKey = StoredBusiness & { key: string; isPlace: boolean };

/** As it is stored: what of it is JSON is text. */
type StoredRow<Row> = Omit<Row, "fingerprints" | "content"> & { fingerprints: string; content: string | null };

function toStored<Row extends StoredBusiness>({ fingerprints, content, ...row }: StoredRow<Row>): Row {
  return {
    ...row,
    fingerprints: JSON.parse(fingerprints),
    content: content === null ? null : JSON.parse(content),
  } as unknown as Row; // the two were all that differed
}

// Businesses belong to no organization: all organizations find the same one.

/**
 * Of `named`, which has the id of each business: where it was merged into another, that one. A place of the catalog that
 * nothing is added to has no row of its own.
 */
const businessColumns = sql`
  coalesce(b.id, named.business_id) as id,
  coalesce(b.revision, 0) as revision,
  coalesce(p.revision, b.place_revision, 0) as "placeRevision",
  coalesce(b.fingerprints, '{}') as fingerprints,
  b.id is not null as "isStored",
  p.business_id is not null as "isPlace"
`;
const businessJoins = sql`
  left join businesses called on called.id = named.business_id
  left join businesses b on b.id = coalesce(called.merged_into, called.id)
  left join ${placesOfBusinesses()} p on p.business_id = coalesce(b.id, named.business_id)
`;

/** Finds what the keys lead to; the content only on request, since it is the larger part. What the catalog says wins. */
export async function listByKeys(
  db: Queryable,
  keys: readonly string[],
  keysWithContent: readonly string[],
): Promise<StoredKey[]> {
  const sourceIds = keys.flatMap((key) => (key.startsWith("place:") ? [key.slice("place:".length)] : []));
  // Not as a join with the keys: while the table is young, that is planned as a scan of all of it.
  const { rows } = await db.query<StoredRow<StoredKey>>(sql`
    select distinct on (named.key)
      named.key,
      ${businessColumns},
      case when named.key = any(${keysWithContent}::text[]) then coalesce(b.content, '{}') end as content
    from (
      select key, business_id, false as is_place
      from business_keys
      where key = any(${keys}::text[])
      union all
      select key, business_id, true
      from ${businessesOfSources(sourceIds)} known
    ) named
    ${businessJoins}
    order by named.key, named.is_place desc
  `);
  return rows.map(toStored);
}

/** The businesses that places of the catalog are, where something is added to them; by the id that the place has. */
export async function listAdded(
  db: Queryable,
  ids: readonly string[],
  idsWithContent: readonly string[],
): Promise<(StoredBusiness & { of: string })[]> {
  if (ids.length === 0) return [];
  // As text that needs no escaping, which is the dearer part of sending an array.
  const { rows } = await db.query<StoredRow<StoredBusiness & { of: string }>>(sql`
    select named.id as of,
      ${businessColumns},
      case when named.id = any(${`{${idsWithContent.join(",")}}`}::uuid[]) then coalesce(b.content, '{}') end as content
    from (
      select id, id as business_id
      from businesses
      where id = any(${`{${ids.join(",")}}`}::uuid[])
    ) named
    ${businessJoins}
  `);
  return rows.map(toStored);
}

/** Whether all these businesses still have the revision named, and none was merged into another. */
export async function areAtRevisions(db: Queryable, revisions: ReadonlyMap<string, number>): Promise<boolean> {
  // As text that needs no escaping, which is the dearer part of sending an array.
  const ids = `{${[...revisions.keys()].join(",")}}`;
  const { rows } = await db.query<{ count: number; sum: string | null }>(sql`
    select count(*) as count, sum(b.revision + coalesce(p.revision, b.place_revision)) as sum
    from businesses b
    left join ${placesOfBusinesses()} p on p.business_id = b.id
    where b.id = any(${ids}::uuid[])
      and b.merged_into is null
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

/** Keeps others from changing these businesses until the transaction ends. */
export async function lockBusinesses(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    select
    from businesses
    where id = any(${ids}::uuid[])
    order by id
    for update
  `);
}

/** Keeps imports from saying which ids places have until the transaction ends. */
export async function lockPlaceIds(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${advisoryLocks.catalogIds})`);
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
      with forwarded as (
        update businesses
        set merged_into = ${older}
        where merged_into = ${younger}
      ),
      merged as (
        insert into businesses (id, revision, fingerprints, content, merged_into)
        values (${younger}, 0, '{}', '{}', ${older})
        on conflict (id) do update
        set merged_into = excluded.merged_into
      )
      update business_keys
      set business_id = ${older}
      where business_id = ${younger}
    `);
    await tx.query(moveBusiness(younger, older));
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
