import { hash } from "node:crypto";
import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { PlaceRecord } from "../../places/record.ts";
import { shownText } from "../../places/shown.ts";

const recordsAtOnce = 2_000;

/** Notes of what an older program has stored in the touched places what a client can read of it, so that it can be compared. */
export async function fillShown(db: BulkConnection): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await db.query<{ number: number; record: string }>(sql`
      select r.number, r.record
      from catalog_records r
      where r.place in (select lead from catalog_touched_places)
        and r.shown is null
        and r.number > ${after}
      order by r.number
      limit ${recordsAtOnce}
    `);
    const last = rows.at(-1);
    if (!last) return;
    const numbers = rows.map(({ number }) => number);
    const shown = rows.map(({ record }) => hash("md5", shownText(JSON.parse(record) as PlaceRecord)));
    for (const table of [sql`catalog_records`, sql`catalog_record_changes`]) {
      await db.query(sql`
        update ${table} r
        set shown = filled.shown
        from unnest(${numbers}::integer[], ${shown}::uuid[]) as filled (number, shown)
        where r.number = filled.number and r.shown is null
      `);
    }
    after = last.number;
  }
}
