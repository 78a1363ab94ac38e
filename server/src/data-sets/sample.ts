import { fileURLToPath } from "node:url";
import type { Queryable } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";

/** The country that comes along, until the first data set of one's own. */
export const sample = {
  name: "sample",
  country: "LI",
  title: "Sample: Liechtenstein, March 2024, © OpenStreetMap contributors",
  observedAt: new Date("2024-03-01"),
  path: fileURLToPath(new URL("../../data/sample/liechtenstein.osm.pbf", import.meta.url)),
} as const;

/** What somebody can do who asks about another place while the catalog is the sample. */
export const sampleAdvice = "The sample covers Liechtenstein. Add your area: npx waypost catalog add REGION";

/**
 * *wanted* from the first start until the sample is imported, then *imported*. The row leaves, for good, with the sample:
 * when the operator removes it, or imports a data set of their own.
 */
export type SampleState = "wanted" | "imported";

export async function readSampleState(db: Queryable): Promise<SampleState | undefined> {
  const { rows } = await db.query<{ value: SampleState }>(sql`
    select value
    from installation
    where name = 'sample'
  `);
  return rows[0]?.value;
}

/** Part of the transaction that makes the first keys. */
export async function wantSample(db: Queryable): Promise<void> {
  await db.query(sql`
    insert into installation (name, value)
    values ('sample', 'wanted')
  `);
}

/** Part of the transaction that switches to the sample. */
export async function noteSampleImported(db: Queryable): Promise<void> {
  await db.query(sql`
    update installation
    set value = 'imported'
    where name = 'sample'
  `);
}

/** False when the sample had left before. */
export async function forgetSample(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from installation
    where name = 'sample'
  `);
  return rowCount === 1;
}

/** The id of the data set while the catalog has it. */
export async function findSample(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(sql`
    select d.id
    from catalog_data_sets d
    join installation i on i.name = 'sample' and i.value = 'imported'
    where d.name = ${sample.name} and not d.is_pending
  `);
  return rows[0]?.id;
}

/** The origin of any other data set is a path or an address. */
export function isSample({ origin }: { origin: string }): boolean {
  return origin === sample.title;
}
