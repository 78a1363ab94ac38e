import { sql } from "../platform/postgres/sql.ts";

/** Of blocks and groups, those that searches read: not what an import writes for the next generation, nor what it replaced. */
export const isCurrent = sql`
  version <= (select generation from catalog_state)
  and (replaced_in is null or replaced_in > (select generation from catalog_state))
`;

/**
 * Of records, those that are not of an import that has not been switched to. Where no data set is shown a statement looks
 * at no record: their indexes may be missing then, while an import adds the first.
 */
export const isShown = sql`
  number <= (select last_number from catalog_state)
  and (select exists (select from catalog_data_sets where not is_pending))
`;
