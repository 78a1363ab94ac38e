import { sql } from "../platform/postgres/sql.ts";

/**
 * Of records, those that are not of an import that has not been switched to. Where no data set is shown a statement looks
 * at no record: their indexes may be missing then, while an import adds the first.
 */
export const isShown = sql`
  number <= (select last_number from catalog_state)
  and (select exists (select from catalog_data_sets where not is_pending))
`;
