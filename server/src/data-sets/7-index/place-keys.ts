import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { isShown } from "../current.ts";

/** A relation of keys and the businesses of the places that the catalog shows under these source ids. */
export function businessesOfSources(sourceIds: readonly string[]): Sql {
  return sql`
    (
      select 'place:' || r.source_id as key, p.business_id
      from catalog_records r
      join catalog_places p on p.lead = r.place
      where r.source_id = any(${sourceIds}::text[])
        and r.closed_at is null
        and not r.superseded
        and ${isShown}
    )
  `;
}

/** A relation of the revisions of the places that are these businesses. */
export function placesOfBusinesses(): Sql {
  return sql`(select business_id, revision from catalog_places)`;
}

/** Within the transaction that merges two businesses: the place of one is the other. */
export function moveBusiness(from: string, to: string): Sql {
  return sql`
    update catalog_places
    set business_id = ${to}
    where business_id = ${from}
  `;
}
