import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../test/database-door.ts";
import { fileDatabase, manualClock } from "../../../test/harness.ts";
import { unitsUsed } from "../../../test/units.ts";
import { newUuid } from "../../platform/ids.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase, type Database, isStatementTimeout } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { createOrganizations } from "../organizations/index.ts";
import { createBilling } from "./index.ts";

const dayMs = 86_400_000;

async function startLedger(t: TestContext) {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 10, log: silentLog });
  t.after(() => db.end());
  const clock = manualClock();
  const open = (through: Database = db) => createBilling({ db: through, clock, defaultAllowance: 1_000 });
  const billing = open();
  const { id: organizationId } = await createOrganizations({ db }).create(`org ${newUuid()}`);
  const month = clock.now().toISOString().slice(0, 7);
  const listReferences = async () =>
    (await billing.ledger([organizationId], 100)).map(({ reference }) => reference).reverse();

  /** Entries of a month that has ended by now, and two of the current one. */
  async function givenOldMonth(charges: number) {
    for (let index = 0; index < charges; index += 1) {
      await billing.charge(db, organizationId, 3, `old/${index}`);
    }
    clock.advance(62 * dayMs);
    for (const reference of ["new/a", "new/b"]) await billing.charge(db, organizationId, 1, reference, "key");
  }

  return { db, clock, billing, open, organizationId, month, listReferences, givenOldMonth };
}

type Ledger = Awaited<ReturnType<typeof startLedger>>;

async function rollUpAll({ billing, clock }: Ledger, stepEntries?: number): Promise<void> {
  while ((await billing.rollUpLedger(clock.now(), 1, stepEntries)) > 0);
}

const stepProgram = fileURLToPath(new URL("../../../test/roll-up-step.ts", import.meta.url));
const stepName = "roll-up step";

/** One step in a process of its own. */
async function startStep(t: TestContext, now: Date, entries: number): Promise<ChildProcess> {
  const connection = JSON.stringify({ ...(await fileDatabase()), applicationName: stepName });
  const step = spawn(process.execPath, [stepProgram, connection, now.toISOString(), String(entries)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  t.after(() => step.kill("SIGKILL"));
  return step;
}

/** How many connections the step has; those that wait for something, when it is named. */
async function countBackends(db: Database, waitsFor?: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count
    from pg_stat_activity
    where application_name = ${stepName}
      and datname = current_database()
      and (${waitsFor ?? null}::text is null or wait_event_type = ${waitsFor ?? null})
  `);
  return rows[0]?.count ?? 0;
}

test("months that ended long ago become one entry each, and the ledger still adds up to the counters", async (t) => {
  const ledger = await startLedger(t);
  const { billing, clock, db, organizationId, month } = ledger;
  for (const reference of ["old/a", "old/b"]) await billing.charge(db, organizationId, 3, reference);
  await billing.release(db, organizationId, 3, "old/b");
  await ledger.givenOldMonth(1);

  await rollUpAll(ledger);

  assert.deepEqual(await ledger.listReferences(), [`month/${month}`, "new/a", "new/b"]);
  assert.equal(await unitsUsed(db, organizationId), 8);
  assert.equal(await billing.ledgerDifference(), 0);
  assert.equal(await billing.rollUpLedger(clock.now(), 1), 0, "a second time there is nothing to do");
});

test("a long month is rolled up in steps of so many entries, and its sum is right after each of them", async (t) => {
  const ledger = await startLedger(t);
  const { billing, clock, db, organizationId, month } = ledger;
  await billing.charge(db, organizationId, 3, "refunded");
  await billing.release(db, organizationId, 3, "refunded");
  await ledger.givenOldMonth(5);
  const steps: number[] = [];

  for (let found = 1; found > 0; steps.push(found)) {
    found = await billing.rollUpLedger(clock.now(), 1, 2);

    assert.equal(await unitsUsed(db, organizationId), 17);
    assert.equal(await billing.ledgerDifference(), 0);
  }

  assert.deepEqual(steps, [2, 2, 2, 1, 0]);
  assert.deepEqual(await ledger.listReferences(), [`month/${month}`, "new/a", "new/b"]);
});

test("a process that is killed in a step leaves the month as it was, and the next one goes on", async (t) => {
  const ledger = await startLedger(t);
  const { billing, clock, db, organizationId, month } = ledger;
  await ledger.givenOldMonth(5);
  assert.equal(await billing.rollUpLedger(clock.now(), 1, 2), 2);
  const between = await ledger.listReferences();

  await db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    // The step has deleted the month's entry and one more when it meets this one.
    await tx.query(sql`
      select
      from ledger_entries
      where organization_id = ${organizationId}
        and reference = 'old/3'
      for update
    `);
    const step = await startStep(t, clock.now(), 2);
    await until(async () => (await countBackends(db, "Lock")) === 1);
    step.kill("SIGKILL");
    await once(step, "exit");
  });
  await until(async () => (await countBackends(db)) === 0);

  assert.deepEqual(await ledger.listReferences(), between);
  assert.equal(await billing.ledgerDifference(), 0);
  await rollUpAll(ledger, 2);
  assert.deepEqual(await ledger.listReferences(), [`month/${month}`, "new/a", "new/b"]);
  assert.equal(await unitsUsed(db, organizationId), 17);
  assert.equal(await billing.ledgerDifference(), 0);
});

test("two workers, charges and refunds beside a roll-up lose and double nothing", async (t) => {
  const ledger = await startLedger(t);
  const { billing, db, organizationId, clock } = ledger;
  await ledger.givenOldMonth(30);
  const refunds = Array.from({ length: 10 }, (_, index) => `old/${index * 3}`);

  await Promise.all([
    rollUpAll(ledger, 4),
    rollUpAll({ ...ledger, billing: ledger.open() }, 3),
    ...refunds.map((reference) => billing.release(db, organizationId, 3, reference)),
    ...refunds.map((reference) => billing.charge(db, organizationId, 1, `again/${reference}`)),
  ]);
  await rollUpAll(ledger);

  const { rows } = await db.query<{ month: string; used: number; units: number }>(sql`
    select usage_months.month::text, used, (
      select sum(units)::bigint
      from ledger_entries
      where ledger_entries.organization_id = usage_months.organization_id
        and ledger_entries.month = usage_months.month
    ) as units
    from usage_months
    where organization_id = ${organizationId}
    order by usage_months.month
  `);
  for (const { used, units } of rows) assert.equal(units, used);
  assert.equal(rows.at(-1)?.used, 2 + refunds.length);
  const left = (await billing.ledger([organizationId], 100)).filter((each) => each.reference.startsWith("old/"));
  assert.ok(left.every(({ kind }) => kind === "release"));
  clock.advance(62 * dayMs);
  await rollUpAll(ledger);
  const months = rows.map((each) => `month/${each.month.slice(0, 7)}`);
  assert.deepEqual(await ledger.listReferences(), months, "a late refund goes with the month it was written in");
});

test("a month that is rolled up stays out of the usage of these days", async (t) => {
  const ledger = await startLedger(t);
  const { billing, organizationId, clock } = ledger;
  await ledger.givenOldMonth(4);
  const shown = async () => [
    await billing.usageByDay(organizationId, 90),
    await billing.usageByActor(organizationId, 30),
  ];
  const [, actors] = await shown();

  await rollUpAll(ledger);

  const [days, actorsAfter] = await shown();
  assert.deepEqual(actorsAfter, actors);
  const counted = (days ?? []).filter((each) => "other" in each && each.other > 0);
  assert.deepEqual(counted, [{ day: clock.now().toISOString().slice(0, 10), searches: 0, jobs: 0, other: 2 }]);
});

test("a comparison that takes longer than it may is given up", async (t) => {
  const { db } = await startLedger(t);
  const sleeping = db.transaction((tx) => tx.query(sql`select pg_sleep(30)`), { statementMs: 20 });

  await assert.rejects(sleeping, isStatementTimeout);
  const { rows } = await db.query<{ statement_timeout: string }>(sql`show statement_timeout`);
  assert.deepEqual(rows, [{ statement_timeout: "15s" }], "the next statement has the usual time");
});
