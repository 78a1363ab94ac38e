import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { newUuid, uuidFromId } from "../server/src/platform/ids.ts";
import type { Database } from "../server/src/platform/postgres/database.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { type Callable, callUntilAnswered } from "./fleet.ts";

/** What was acknowledged, written down outside of the service. */
export type Ledger = { created: Set<string>; canceled: Set<string> };

export const newLedger = (): Ledger => ({ created: new Set(), canceled: new Set() });

const listingsPerJob = 3;

/** Creates jobs one after the other, each so long after the last was acknowledged, and cancels a few. */
export async function keepCreating(
  fleet: Callable,
  ledger: Ledger,
  isOver: () => boolean,
  pauseMs: number,
): Promise<void> {
  for (; !isOver(); await sleep(pauseMs)) {
    const ms = Math.random() < 0.2 ? 1_000 : Math.floor(Math.random() * 100);
    const body = { operation: "places.search", input: { q: `coffee ${newUuid()} ${ms}` } };
    const { status, data } = await callUntilAnswered(fleet, "/scrapes", { body });
    assert.equal(status, 202);
    assert.ok(!ledger.created.has(data.id), "two keys never make one job");
    ledger.created.add(data.id);
    if (Math.random() > 0.1) continue;
    const canceled = await callUntilAnswered(fleet, `/scrapes/${data.id}/cancel`);
    if (canceled.data.status === "canceled") ledger.canceled.add(data.id);
  }
}

/** Resolves when no job is left to do; rejects when none ends for so long. */
export async function allEnded(db: Database, seconds: number): Promise<void> {
  let fewest = Infinity;
  let endedAt = Date.now();
  for (;;) {
    const open = await count(db, sql`select count(*) as count from scrapes where finished_at is null`);
    if (open === 0) return;
    if (open < fewest) endedAt = Date.now();
    fewest = Math.min(fewest, open);
    assert.ok(Date.now() - endedAt < seconds * 1_000, `${open} jobs have not ended, and none has for ${seconds} s`);
    await sleep(100);
  }
}

/** Compares what the service has with what it said: nothing lost, nothing twice. */
export async function settle(db: Database, ledger: Ledger): Promise<void> {
  const { rows } = await db.query<{ id: string; status: string; results: number; told: string }>(sql`
    select id, status, result_count as results, concat_ws(' ', error_code, 'at attempt', attempt, 'after losing', losses) as told
    from scrapes
  `);
  const jobs = new Map(rows.map((row) => [row.id, row]));
  assert.equal(jobs.size, ledger.created.size, "as many jobs as were acknowledged");
  for (const id of ledger.created) {
    const job = jobs.get(uuidFromId("job", id) ?? "");
    assert.ok(job, `the acknowledged job ${id} is there`);
    const expected = ledger.canceled.has(id) ? "canceled" : "succeeded";
    assert.equal(job.status, expected, `${id}: ${job.told}`);
    if (expected === "succeeded") assert.equal(job.results, listingsPerJob, id);
  }

  const units = await count(db, sql`select coalesce(sum(used), 0)::bigint as count from usage_months`);
  const entries = await count(db, sql`select coalesce(sum(units), 0)::bigint as count from ledger_entries`);
  assert.deepEqual([units, entries], [jobs.size, jobs.size], "one unit per job");

  const uneven = sql`
    select count(*) as count
    from (
      select
      from scrapes
      left join webhook_events on webhook_events.resource_id = scrapes.id
      group by scrapes.id
      having max(sequence) is distinct from count(sequence)
        or count(*) filter (where type = 'scrape.started') > 1
        or count(*) filter (where type in ('scrape.completed', 'scrape.failed', 'scrape.canceled')) <> 1
    ) as jobs
  `;
  assert.equal(await count(db, uneven), 0, "each job's events are numbered without a gap and end once");

  const doubled = sql`
    select count(*) as count
    from (
      select
      from scrapes
      join scrape_results on scrape_results.job_id = scrapes.id
      group by scrapes.id
      having count(*) <> result_count or count(distinct business_id) <> result_count or max(position) <> result_count
    ) as jobs
  `;
  assert.equal(await count(db, doubled), 0, "no job has two results");
}

async function count(db: Database, statement: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.query<{ count: number }>(statement);
  return rows[0]?.count ?? Number.NaN;
}
