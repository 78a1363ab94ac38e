import assert from "node:assert/strict";
import type { Database } from "../src/platform/postgres/database.ts";
import { sql } from "../src/platform/postgres/sql.ts";

/** How many units an organization has used, by its ledger and its counters alike. */
export async function unitsUsed(db: Database, organizationId: string): Promise<number> {
  const { rows } = await db.query<{ entered: number; used: number }>(sql`
    select
      (select coalesce(sum(units), 0)::bigint from ledger_entries where organization_id = ${organizationId}) as entered,
      (select coalesce(sum(used), 0)::bigint from usage_months where organization_id = ${organizationId}) as used
  `);
  assert.equal(rows[0]?.entered, rows[0]?.used, "the ledger adds up to the counter");
  return rows[0]?.used ?? 0;
}
