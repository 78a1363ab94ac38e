import { businessesOfSources } from "../../data-sets/7-index/place-keys.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type Correction, keyOf, type OwnersRequests, type Suppression } from "./owners-requests.ts";

export async function readRequests(db: Queryable): Promise<OwnersRequests> {
  const suppressed = await db.query<Suppression>(sql`select kind, value from catalog_suppressions`);
  const corrected = await db.query<Correction>(sql`
    select source_id as "sourceId", field, value from catalog_corrections
  `);
  return {
    suppressed: new Set(suppressed.rows.map(keyOf)),
    corrections: Map.groupBy(corrected.rows, ({ sourceId }) => sourceId),
  };
}

/** The ids that a business is known by: of its places, of the records merged into them, and its own. */
export async function listIdsOf(db: Queryable, id: string): Promise<string[]> {
  const { rows } = await db.query<{ key: string; businessId: string }>(sql`
    with named as (
      select business_id from business_keys where key in (${`place:${id}`}, ${`data:${id}`}, ${`cid:${id}`})
      union
      select business_id from ${businessesOfSources([id])} known
      union
      select id from businesses where id::text = ${id}
      union
      select business_id from catalog_places where business_id::text = ${id}
    )
    select k.key, k.business_id as "businessId"
    from business_keys k
    join named on named.business_id = k.business_id
    union
    select 'place:' || r.source_id, named.business_id
    from named
    join catalog_places p on p.business_id = named.business_id
    join catalog_records r on r.place = p.lead
    where not r.superseded
  `);
  const own = rows.map(({ businessId }) => businessId);
  return [...new Set([id, ...own, ...rows.map(({ key }) => key.slice(key.indexOf(":") + 1))])];
}

export type StoredSuppression = { asked: string; kind: Suppression["kind"]; ids: number; createdAt: Date };
export type StoredCorrection = { asked: string; field: string; value: string | null; createdAt: Date };

export async function insertSuppressions(db: Queryable, asked: string, given: readonly Suppression[]): Promise<void> {
  await db.query(sql`
    insert into catalog_suppressions (kind, value, asked)
    select kind, value, ${asked}
    from unnest(${given.map(({ kind }) => kind)}::text[], ${given.map(({ value }) => value)}::text[]) as g (kind, value)
    on conflict do nothing
  `);
}

/** Resolves to whether there was one. */
export async function deleteSuppressions(db: Queryable, asked: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from catalog_suppressions where asked = ${asked}`);
  return rowCount > 0;
}

export async function listSuppressions(db: Queryable): Promise<StoredSuppression[]> {
  const { rows } = await db.query<StoredSuppression>(sql`
    select asked, kind, count(*) as ids, min(created_at) as "createdAt"
    from catalog_suppressions
    group by asked, kind
    order by min(created_at), asked
  `);
  return rows;
}

export async function upsertCorrections(db: Queryable, asked: string, given: readonly Correction[]): Promise<void> {
  await db.query(sql`
    insert into catalog_corrections (source_id, asked, field, value)
    select source_id, ${asked}, field, value
    from unnest(
      ${given.map(({ sourceId }) => sourceId)}::text[],
      ${given.map(({ field }) => field)}::text[],
      ${given.map(({ value }) => value)}::text[]
    ) as g (source_id, field, value)
    on conflict (source_id, field) do update
    set value = excluded.value, asked = excluded.asked, created_at = now()
  `);
}

export async function deleteCorrections(db: Queryable, asked: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from catalog_corrections where asked = ${asked}`);
  return rowCount > 0;
}

export async function listCorrections(db: Queryable): Promise<StoredCorrection[]> {
  const { rows } = await db.query<StoredCorrection>(sql`
    select distinct on (asked, field) asked, field, value, created_at as "createdAt"
    from catalog_corrections
    order by asked, field
  `);
  return rows;
}
