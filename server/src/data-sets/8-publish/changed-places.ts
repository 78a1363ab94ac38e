import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Next } from "../next-generation/generation.ts";

/** A process has room for about as many listings. */
const placesMax = 50_000;
/** A process that searches an earlier generation than these makes all listings again. */
const generationsKept = 8;

/** Lists the places that are not the same in the next generation. Nobody reads the list before the switch. */
export async function listChangedPlaces(db: BulkConnection, { generation, lastNumber }: Next): Promise<void> {
  await db.query(sql`
    insert into catalog_changed_places (generation, places)
    select ${generation}, case when count(*) <= ${placesMax} then coalesce(array_agg(place), '{}') end
    from (
      select lead as place
      from catalog_touched_places
      where lead <= ${lastNumber}
      limit ${placesMax + 1}
    ) listed
    on conflict (generation) do update set places = excluded.places
  `);
  await db.query(sql`delete from catalog_changed_places where generation <= ${generation - generationsKept}`);
}
