import { hash } from "node:crypto";
import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { PlaceRecord } from "../../places/record.ts";
import { shownText } from "../../places/shown.ts";

const recordsAtOnce = 1_000;

/** A changed record keeps from the one that it replaces what its source has now and nobody could read. */
export async function fillWithheld(db: BulkConnection): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await db.query<{ number: number; record: string; before: string }>(sql`
      select c.number, c.record, r.record as before
      from catalog_record_changes c
      join catalog_records r on r.number = c.number
      where c.number > ${after}
        and (c.record like '%"unreadable":["%' or c.record like '%"weekly":null%')
      order by c.number
      limit ${recordsAtOnce}
    `);
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
    const filled = rows.flatMap(({ number, record, before }) => {
      const now = JSON.parse(record) as PlaceRecord;
      return fill(now, JSON.parse(before) as PlaceRecord) ? [{ number, record: now }] : [];
    });
    await db.query(sql`
      update catalog_record_changes c
      set record = filled.record, shown = filled.shown
      from unnest(
        ${filled.map(({ number }) => number)}::integer[],
        ${filled.map(({ record }) => JSON.stringify(record))}::text[],
        ${filled.map(({ record }) => hash("md5", shownText(record)))}::uuid[]
      ) as filled (number, record, shown)
      where c.number = filled.number
    `);
  }
}

/** Whether it kept something. */
function fill({ details: now }: PlaceRecord, { details: before }: PlaceRecord): boolean {
  const { phones, website, openingHours } = now;
  if (now.unreadable?.includes("phones") && !now.phones?.length && before.phones) now.phones = before.phones;
  if (now.unreadable?.includes("website") && !now.website && before.website) now.website = before.website;
  const hours = before.openingHours;
  if (openingHours?.weekly === null && hours?.weekly && hours.raw === openingHours.raw) now.openingHours = hours;
  return now.phones !== phones || now.website !== website || now.openingHours !== openingHours;
}
