import type { Database, Queryable, Transaction } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Place } from "../../places/place.ts";
import { keyOf, type Suppression, suppressionKeysOf } from "./owners-requests.ts";
import type { Business } from "./schema.ts";

export type Redacted = { results: number; exports: number };

const tables = [
  { table: sql`scrape_results`, owner: sql`job_id` },
  { table: sql`collection_results`, owner: sql`collection_id` },
] as const;
type Table = (typeof tables)[number];
type Row = { owner: string; position: number; record: string };

/**
 * Empties what jobs and collections have stored of these businesses, and lets the exports that hold them expire. Texts
 * are searched for the value, and the record decides. Waiting exports read the emptied results; one that is being
 * written begins again.
 */
export async function redactStored(db: Database, suppressed: readonly Suppression[]): Promise<Redacted> {
  const keys = new Set(suppressed.map(keyOf));
  const pattern = suppressed.map(patternOf).join("|");
  const redacted: Redacted = { results: 0, exports: 0 };
  for (const table of tables) {
    let last: Row | undefined;
    do last = await db.transaction((tx) => redactBatch(tx, table, last), { statementMs: scanMs });
    while (last);
  }
  await forgetAnswers(db, pattern);
  return redacted;

  /** Resolves to where the next batch begins. */
  async function redactBatch(tx: Transaction, table: Table, after: Row | undefined): Promise<Row | undefined> {
    const rows = await listAlike(tx, table, pattern, after);
    const found = rows.map(read).filter(({ business }) => isIt(business, keys));
    if (found.length > 0) {
      await empty(tx, table, found);
      await forget(tx, found);
      redacted.results += found.length;
      redacted.exports += await expireExports(tx, [...new Set(found.map((row) => row.owner))]);
    }
    return rows.length === batchMax ? rows.at(-1) : undefined;
  }
}

type Found = Row & { business: Business };

function read(row: Row): Found {
  return { ...row, business: JSON.parse(row.record) as Business }; // our own text
}

function isIt({ place, businessId }: Business, keys: ReadonlySet<string>): boolean {
  return suppressionKeysOf(place, businessId).some((key) => keys.has(key));
}

async function listAlike(tx: Transaction, { table, owner }: Table, pattern: string, last?: Row): Promise<Row[]> {
  const { rows } = await tx.query<Row>(sql`
    select ${owner} as owner, position, record
    from ${table}
    where (${owner}, position) > (${last?.owner ?? firstUuid}::uuid, ${last?.position ?? -1})
      and record like '{%'
      and record ~* ${pattern}
    order by ${owner}, position
    limit ${batchMax}
    for update
  `);
  return rows;
}

const firstUuid = "00000000-0000-0000-0000-000000000000";

async function empty(tx: Transaction, { table, owner }: Table, found: readonly Found[]): Promise<void> {
  await tx.query(sql`
    update ${table} stored
    set record = r.record
    from unnest(
      ${found.map((row) => row.owner)}::uuid[],
      ${found.map(({ position }) => position)}::integer[],
      ${found.map(({ business }) => JSON.stringify(redact(business)))}::text[]
    ) as r (owner, position, record)
    where stored.${owner} = r.owner
      and stored.position = r.position
  `);
}

const batchMax = 1_000;
const scanMs = 3_600_000;

/** As PostgreSQL reads it: the value as records spell it, a number with whatever stands between its digits. */
function patternOf({ kind, value }: Suppression): string {
  if (kind === "phone") return `"[+]?${value.split("").join(`[^0-9"]{0,3}`)}"`;
  return `"${value.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}"`;
}

/** What is added to these businesses, from their websites and other sources. */
async function forget(tx: Transaction, found: readonly Found[]): Promise<void> {
  await tx.query(sql`
    update businesses
    set fingerprints = '{}', content = '{}'
    where id = any(${found.map(({ business }) => business.businessId)}::uuid[])
  `);
}

async function expireExports(tx: Transaction, owners: readonly string[]): Promise<number> {
  const holds = sql`(job_ids && ${owners}::uuid[] or collection_id = any(${owners}::uuid[]))`;
  await tx.query(sql`
    update exports
    set status = 'queued', started_at = null, lease_until = null, lease_token = lease_token + 1, run_at = now()
    where status = 'running' and ${holds}
  `);
  const { rowCount } = await tx.query(sql`
    update exports
    set status = 'expired', expires_at = now()
    where status = 'ready' and ${holds}
  `);
  return rowCount;
}

/** Answers that a client could have again under its key. */
async function forgetAnswers(db: Queryable, pattern: string): Promise<void> {
  await db.query(sql`delete from idempotency_records where answer::text ~* ${pattern}`);
}

const kept: ReadonlySet<string> = new Set("reviewsState photosState enrichmentState observedAt fieldStates".split(" "));

function redact(business: Business): Business {
  const fieldStates: Record<string, string> = {};
  const entries = Object.entries(business.place).map(([field, value]): [string, unknown] => {
    if (kept.has(field)) return [field, value];
    if (field === "address")
      return [field, Object.fromEntries(Object.keys(business.place.address).map((part) => [part, null]))];
    fieldStates[field] = "not_supplied";
    return [field, Array.isArray(value) ? [] : null];
  });
  for (const part of Object.keys(business.place.address)) fieldStates[`address.${part}`] = "not_supplied";
  const place = { ...(Object.fromEntries(entries) as Place), fieldStates }; // the fields that it had
  return { ...business, place };
}
