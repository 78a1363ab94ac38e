import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";

/**
 * Keeps, for as long as the connection lasts, the places of the next generation that are other than before, or whose
 * records are, and what places they follow.
 */
export async function createPlaceTables(db: BulkConnection): Promise<void> {
  await db.execute(`
    create temporary table catalog_touched_places (at integer generated always as identity, lead integer not null);

    -- Of the generation that searches read: what was touched.
    create temporary table catalog_places_before (
      place bigint not null,
      lead integer not null,
      revision bigint not null,
      shown uuid,
      cell integer not null,
      -- The place that goes on with its key; null where it leaves the catalog.
      successor integer
    );
    create temporary table catalog_members_before (
      place bigint not null,
      source_id text not null,
      is_lead boolean not null
    );

    -- As their records say them. Source id and cell are those of the record that leads.
    create temporary table catalog_next_places (
      lead integer not null,
      source_id text not null,
      cell integer not null,
      shown uuid,
      place bigint,
      -- Whose number and id it has; null for a new one.
      place_before bigint,
      -- The place that it was a part of.
      split_from bigint,
      business_id uuid,
      revision bigint not null default 1,
      -- The source ids of its other records.
      others text[]
    );
    create temporary view catalog_members as
    select lead, source_id, true as is_lead from catalog_next_places
    union all
    select lead, unnest(others), false from catalog_next_places where others is not null;

    -- Stored businesses, and those of places that a place follows, of which it takes one id.
    create temporary table catalog_id_claims (
      lead integer not null,
      id uuid not null,
      -- That of the place and of what is added to it.
      revision bigint not null,
      added bigint not null,
      is_own boolean not null,
      is_followed boolean not null,
      shown uuid
    );
  `);
}

export async function dropPlaceTables(db: BulkConnection): Promise<void> {
  await db.execute(`
    drop view catalog_members;
    drop table catalog_touched_places, catalog_places_before, catalog_members_before,
      catalog_next_places, catalog_id_claims
  `);
}

/** The hash of areas' names as an address says them, for each list of areas. */
export function namesOfAreas(areas: Sql): Sql {
  return sql`
    (
      select md5(string_agg(concat_ws(' ', a.kind, a.level, a.name), E'\\n' order by listed.at))
      from unnest(areas_listed.areas) with ordinality as listed (source_id, at)
      cross join lateral (
        select name, kind, level
        from ${areas} as area
        where area.source_id = listed.source_id
          and area.data_set_id = any(array(select id from catalog_data_sets))
        order by area.data_set_id
        limit 1
      ) a
    )
  `;
}

/** Says the same as long as a client reads the same of a record: null where that is not known of an older one. */
export const shownOfRecord = sql`r.shown::text || ' ' || r.country_code || ' ' || coalesce(l.names, '')`;

/** A business id that follows from a key. It comes after every minted one in order, and version 8 says that it is ours. */
export function derivedId(sourceId: Sql): Sql {
  return sql`
    (
      select ('f' || substr(digits, 2, 11) || '8' || substr(digits, 14, 3) || 'a' || substr(digits, 18, 15))::uuid
      from (select encode(sha256(convert_to('place:' || ${sourceId}, 'UTF8')), 'hex') as digits offset 0) hashed
    )
  `;
}
