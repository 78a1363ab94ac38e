import type { Queryable } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** Whose rows: an organization's, of one environment. */
type Tenant = { organizationId: string; environment: string };

/** Selects a page of a tenant's rows. Newest first: the ids rise with the time they were made at. */
export function newestFirst(
  { organizationId, environment }: Tenant,
  { before, limit, also = sql`` }: { before: string | undefined; limit: number; also?: Sql | undefined },
): Sql {
  return sql`
    where organization_id = ${organizationId}
      and environment = ${environment}
      ${also}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc
    limit ${limit}
  `;
}

/** Where the records of a resource are stored, in the order of their position. */
type StoredRecords = { parents: Sql; records: Sql; parentId: Sql; recordText: Sql };

export type StoredRecord = { position: number; text: string };

/** A resource's status and its records after a position, both of one moment; undefined without the resource. */
export async function findRecords<Status extends string>(
  db: Queryable,
  { parents, records, parentId, recordText }: StoredRecords,
  { organizationId, environment }: Tenant,
  uuid: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ status: Status; records: StoredRecord[] } | undefined> {
  const { rows } = await db.query<{ status: Status; position: number | null; text: string }>(sql`
    select ${parents}.status, found.position, found.text
    from ${parents}
    left join lateral (
      select position, ${recordText} as text
      from ${records}
      where ${parentId} = ${parents}.id
        and position > ${after}
      order by position
      limit ${limit}
    ) found on true
    where ${parents}.organization_id = ${organizationId}
      and ${parents}.environment = ${environment}
      and ${parents}.id = ${uuid}
    order by found.position
  `);
  const [first] = rows;
  if (!first) return undefined;
  return {
    status: first.status,
    records: rows.flatMap(({ position, text }) => (position === null ? [] : [{ position, text }])),
  };
}
