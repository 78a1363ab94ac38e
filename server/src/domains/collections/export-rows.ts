import type { Queryable } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { recordText } from "../businesses/index.ts";
import type { Tenant } from "./store.ts";

/** The stored results of collections, as rows of an export. */
export const collectionRows = { find: findResultCount, select: selectRecords };

type Exportable = { resultCount: number; webhookEndpointId: string | null; title: string };

async function findResultCount(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuids: readonly string[],
): Promise<Exportable | undefined> {
  const { rows } = await db.query<Exportable>(sql`
    select result_count as "resultCount", webhook_endpoint_id as "webhookEndpointId",
      concat_ws(' ', params ->> 'q', area ->> 'place') as title
    from collections
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = any(${[...uuids]}::uuid[])
  `);
  return rows.length === uuids.length ? rows[0] : undefined;
}

/** A collection has each business once, so there is nothing to sort: a large one streams from its index. */
function selectRecords({ organizationId, environment }: Tenant, uuids: readonly string[]): Sql {
  return sql`
    select ${recordText(sql`collection_results.record`)}
    from collection_results
    where collection_id in (
      select id
      from collections
      where organization_id = ${organizationId}
        and environment = ${environment}
        and id = any(${[...uuids]}::uuid[])
    )
    order by collection_id, position
  `;
}
