import { memoizeByObject } from "../../platform/memoize.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { asLines, type Sql, sql } from "../../platform/postgres/sql.ts";
import { fixedUuid } from "./business.ts";
import type { Business } from "./schema.ts";

/**
 * Stores the records of simulated businesses, each once for all results that have it, and resolves to
 * the references that results hold in their place. A record says by the day when it was last referred to.
 */
export async function storeSimulated(
  db: Queryable,
  businesses: readonly Business[],
): Promise<{ businessId: string; text: string }[]> {
  const written = businesses.map(write);
  const ids = written.map(({ id }) => id);
  await db.query(sql`
    insert into simulated_records (id, record)
    select given.id, given.record
    from unnest(${ids}::uuid[], ${asLines(written.map(({ text }) => text))}) as given (id, record)
    where not exists (
      select from simulated_records as known where known.id = given.id and known.used_at > now() - interval '1 day'
    )
    -- In one order, so that writers who store the same records wait for each other and never in a circle.
    order by given.id
    on conflict (id) do update set used_at = now()
  `);
  return businesses.map(({ businessId }, index) => ({ businessId, text: `~${ids[index]}` }));
}

// Fixtures make the same objects for every answer, so each is written once.
const write = memoizeByObject((business: Business) => {
  const text = JSON.stringify(business);
  return { id: fixedUuid(text), text };
});

const dayMs = 86_400_000;
/** A record is kept for a day after its day and for longer than any sweep of results is late. */
const graceDays = 7;
const sweepBatch = 5_000;

/** Deletes records whose results are gone; resolves to their number. */
export async function sweepSimulated(db: Queryable, now: Date, retentionDays: number): Promise<number> {
  const keptFrom = new Date(now.getTime() - (retentionDays + graceDays) * dayMs);
  const { rowCount } = await db.query(sql`
    delete from simulated_records
    where id in (
      select id
      from simulated_records
      where used_at < ${keptFrom}
      order by used_at
      limit ${sweepBatch}
      for update skip locked
    )
  `);
  return rowCount;
}

/** The text of a stored record. A reference begins with a tilde, and a record, which is a JSON object, does not. */
export function recordText(column: Sql): Sql {
  return sql`
    case
      when starts_with(${column}, '~') then (
        select simulated_records.record
        from simulated_records
        where simulated_records.id = substr(${column}, 2)::uuid
      )
      else ${column}
    end
  `;
}
