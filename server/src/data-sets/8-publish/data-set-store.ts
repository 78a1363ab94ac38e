import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Coverage } from "../5-contain/cover.ts";

type Named = { name: string; origin: string };
type Shown = {
  origin: string;
  /** What it can be brought up to date from. */
  source: object | undefined;
  importedAt: Date;
  observedAt: Date | undefined;
  places: number;
  coverage: Coverage | undefined;
};

/** The data set of this name; a new one appears with the switch. */
export async function openDataSet(db: BulkConnection, { name, origin }: Named, now: Date): Promise<number> {
  await db.query(sql`
    insert into catalog_data_sets (name, origin, imported_at, is_pending)
    values (${name}, ${origin}, ${now}, true)
    on conflict (name) do nothing
  `);
  const id = await findDataSet(db, name);
  if (id === undefined) throw new Error("The data set was not written.");
  return id;
}

export async function findDataSet(db: Queryable, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(sql`
    select id
    from catalog_data_sets
    where name = ${name}
  `);
  return rows[0]?.id;
}

/** Within the transaction that switches. */
export async function switchDataSet(
  db: BulkConnection,
  id: number,
  { origin, source, importedAt, observedAt, places, coverage }: Shown,
): Promise<void> {
  await db.query(sql`
    update catalog_data_sets
    set origin = ${origin}, source = ${source === undefined ? null : JSON.stringify(source)}::jsonb, imported_at = ${importedAt}, observed_at = ${observedAt ?? null},
      places = ${places}, coverage = ${coverage?.tiles ?? null}::integer[],
      coverage_shift = ${coverage?.shift ?? null}, coverage_countries = ${coverage?.countries ?? null}::text[],
      is_pending = false
    where id = ${id}
  `);
}

/** Within the transaction that switches: takes a data set away for good; resolves to how many places it had. */
export async function deleteDataSet(db: BulkConnection, id: number): Promise<number> {
  await db.query(sql`delete from catalog_areas where data_set_id = ${id}`);
  await db.query(sql`delete from catalog_records where data_set_id = ${id}`);
  const { rows } = await db.query<{ places: number }>(sql`
    delete from catalog_data_sets
    where id = ${id}
    returning places
  `);
  return rows[0]?.places ?? 0;
}
