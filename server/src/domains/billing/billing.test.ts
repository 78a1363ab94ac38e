import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { fileDatabase, manualClock } from "../../../test/harness.ts";
import { newUuid } from "../../platform/ids.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase, type Database, type Queryable } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { createOrganizations } from "../organizations/index.ts";
import { monthOf, reservationLeaseMs, resetAfter } from "./billing.ts";
import { createBilling } from "./index.ts";
import { hasCharge, insertRelease, insertCharge } from "./store.ts";

const exhausted = { code: "allowance_exhausted", kind: "exhausted" };

async function startBilling(t: TestContext, allowance: number) {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 20, log: silentLog });
  t.after(() => db.end());
  const clock = manualClock();
  const billing = createBilling({ db, clock, defaultAllowance: allowance });
  const { id: organizationId } = await createOrganizations({ db }).create(`org ${newUuid()}`);
  return { db, clock, billing, organizationId };
}

/** The promise of the ledger: what it adds up to is what the counter says, month by month. */
async function assertLedgerIsCounter(db: Database, organizationId: string) {
  const { rows } = await db.query<{ used: number; entered: number }>(sql`
    select usage_months.used, coalesce(sum(ledger_entries.units), 0)::bigint as entered
    from usage_months
    left join ledger_entries using (organization_id, month)
    where organization_id = ${organizationId}
    group by usage_months.month, usage_months.used
  `);
  for (const { used, entered } of rows) assert.equal(entered, used);
  return rows.reduce((sum, { used }) => sum + used, 0);
}

test("the last unit of an allowance can be used, and not one more", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 3);

  assert.deepEqual(await billing.charge(db, organizationId, 2, "a"), { charged: 2, remaining: 1 });
  await assert.rejects(billing.charge(db, organizationId, 2, "b"), exhausted);
  assert.deepEqual(await billing.charge(db, organizationId, 1, "c"), { charged: 1, remaining: 0 });
  await assert.rejects(billing.charge(db, organizationId, 1, "d"), exhausted);

  assert.equal(await assertLedgerIsCounter(db, organizationId), 3);
});

test("a charge larger than the whole allowance fails on an untouched month", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 3);

  await assert.rejects(billing.charge(db, organizationId, 4, "a"), exhausted);

  assert.deepEqual(await billing.charge(db, organizationId, 3, "b"), { charged: 3, remaining: 0 });
});

test("a refusal says when the units reset", async (t) => {
  const { db, billing, clock, organizationId } = await startBilling(t, 0);

  await assert.rejects(billing.charge(db, organizationId, 1, "a"), (error: Error) => {
    assert.ok(error.message.includes(resetAfter(clock.now()).toISOString()), error.message);
    return true;
  });
});

test("the same reference is charged once, however often it is asked", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 5);

  await billing.charge(db, organizationId, 1, "job");
  const again = await billing.charge(db, organizationId, 1, "job");
  const reserved = await billing.reserve(db, organizationId, 1, "job");

  assert.deepEqual(again, { charged: 0, remaining: 4 });
  assert.deepEqual(reserved, { charged: 0, remaining: 4 });
  assert.equal(await assertLedgerIsCounter(db, organizationId), 1);
});

test("one reference charged many times at once counts once", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 50);

  await Promise.allSettled(Array.from({ length: 30 }, () => billing.charge(db, organizationId, 1, "same")));

  assert.equal(await assertLedgerIsCounter(db, organizationId), 1);
});

test("a reference is looked for among its own kind, and not among all that an organization paid for", async (t) => {
  const { db, organizationId } = await startBilling(t, 10);
  // The statistics know of others alone, so that the organization seems to have next to no entries.
  await db.query(sql`
    insert into ledger_entries (organization_id, month, kind, units, reference, created_at)
    select ${newUuid()}, now(), 'charge', 1, number, now()
    from generate_series(1, 5000) as number
  `);
  await db.query(sql`analyze ledger_entries`);
  const plans: string[] = [];
  const explaining: Queryable = {
    async query<Row>(statement: Sql) {
      const explained = {
        values: statement.values,
        text: `explain ${statement.text}`,
        name: `explain ${statement.name}`,
      };
      const { rows } = await db.query<{ "QUERY PLAN": string }>(explained);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      return { rows: [] as Row[], rowCount: 0 };
    },
  };
  const now = new Date();
  const entry = {
    kind: "charge",
    units: 1,
    month: monthOf(now),
    now,
    leaseUntil: null,
    defaultAllowance: 10,
  } as const;

  await insertCharge(explaining, organizationId, { ...entry, references: ["one"], actors: [null], areNew: false });
  await insertRelease(explaining, organizationId, { units: 1, reference: "one", now, evenSettled: false });
  await hasCharge(explaining, organizationId, "one");

  assert.equal(plans.length, 3);
  for (const plan of plans) {
    assert.match(plan, /ledger_entries_taken/);
    assert.doesNotMatch(plan, /ledger_entries_pkey|Seq Scan on ledger_entries/);
  }
});

test("the references of two organizations do not meet", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 5);
  const other = (await createOrganizations({ db }).create("other")).id;

  await billing.charge(db, organizationId, 1, "job");

  assert.deepEqual(await billing.charge(db, other, 1, "job"), { charged: 1, remaining: 4 });
  await billing.release(db, other, 1, "job");
  assert.equal(await assertLedgerIsCounter(db, organizationId), 1);
});

test("200 charges at once against an allowance of 100 take exactly 100", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 100);

  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0
        ? billing.reserve(db, organizationId, 1, `storm ${at}`)
        : db.transaction((tx) => billing.charge(tx, organizationId, 1, `storm ${at}`)),
    ),
  );

  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.equal(refused.length, 100);
  for (const { reason } of refused) assert.equal(reason.code, "allowance_exhausted");
  assert.equal(await assertLedgerIsCounter(db, organizationId), 100);
});

test("a charge whose transaction fails took nothing", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 5);

  const failing = db.transaction(async (tx) => {
    await billing.charge(tx, organizationId, 1, "job");
    throw new Error("the job could not be stored");
  });

  await assert.rejects(failing, /could not be stored/);
  assert.equal((await billing.balance(organizationId)).used, 0);
});

test("a reservation that is settled stays counted and cannot be given back", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 5);
  await billing.reserve(db, organizationId, 1, "page");

  assert.equal(await billing.settle(db, organizationId, "page"), true);
  await billing.release(db, organizationId, 1, "page");

  assert.equal(await assertLedgerIsCounter(db, organizationId), 1);
  assert.equal(await billing.settle(db, organizationId, "page"), false);
});

test("what is charged at once is written together, and each is told its own balance", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 100);
  const { id: other } = await createOrganizations({ db }).create(`org ${newUuid()}`);
  const references = Array.from({ length: 50 }, (_, at) => `page ${at}`);

  const balances = await Promise.all(references.map((reference) => billing.chargeBatched(organizationId, reference)));
  await Promise.all(references.slice(0, 3).map((reference) => billing.chargeBatched(other, reference)));

  assert.deepEqual(
    balances.map(({ remaining }) => remaining).toSorted((a, b) => b - a),
    Array.from({ length: 50 }, (_, at) => 99 - at),
  );
  assert.ok(balances.every(({ charged }) => charged === 1));
  assert.equal(await assertLedgerIsCounter(db, organizationId), 50);
  assert.equal(await assertLedgerIsCounter(db, other), 3);
  await billing.release(db, organizationId, 1, "page 7");
  assert.equal(await assertLedgerIsCounter(db, organizationId), 49);
});

test("of what is charged at once, as many are as the allowance holds", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 20);
  const { id: other } = await createOrganizations({ db }).create(`org ${newUuid()}`);

  const outcomes = await Promise.allSettled(
    Array.from({ length: 45 }, (_, at) => billing.chargeBatched(at % 3 === 2 ? other : organizationId, `page ${at}`)),
  );

  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.equal(refused.length, 10);
  for (const { reason } of refused) assert.equal(reason.code, "allowance_exhausted");
  assert.equal(await assertLedgerIsCounter(db, organizationId), 20);
  assert.equal(await assertLedgerIsCounter(db, other), 15);
});

test("a release gives back exactly once, even when asked many times at once", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 10);
  await billing.reserve(db, organizationId, 2, "page");
  await billing.charge(db, organizationId, 3, "job");

  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? billing.release(db, organizationId, 2, "page") : billing.release(db, organizationId, 3, "job"),
    ),
  );

  assert.equal(await assertLedgerIsCounter(db, organizationId), 0);
  assert.equal(await billing.settle(db, organizationId, "page"), false);
});

test("no more is given back than was taken, and nothing for what was never taken", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 10);
  await billing.charge(db, organizationId, 1, "kept");
  await billing.charge(db, organizationId, 1, "job");

  await billing.release(db, organizationId, 5, "job");
  await billing.release(db, organizationId, 1, "unknown");

  assert.equal(await assertLedgerIsCounter(db, organizationId), 1);
});

test("a settled reservation is given back only when that is asked for, and once", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 10);
  await billing.reserve(db, organizationId, 1, "page");
  await billing.settle(db, organizationId, "page");

  assert.equal(await billing.release(db, organizationId, 1, "page"), false);
  assert.equal(await assertLedgerIsCounter(db, organizationId), 1);
  assert.equal(await billing.release(db, organizationId, 1, "page", { evenSettled: true }), true);
  assert.equal(await billing.release(db, organizationId, 1, "page", { evenSettled: true }), false);
  assert.equal(await assertLedgerIsCounter(db, organizationId), 0);
});

test("settling and releasing at once leave one winner", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 100);

  for (let round = 0; round < 20; round += 1) {
    const reference = `round ${round}`;
    await billing.reserve(db, organizationId, 1, reference);
    const before = (await billing.balance(organizationId)).used;
    const [settled] = await Promise.all([
      db.transaction((tx) => billing.settle(tx, organizationId, reference)),
      billing.release(db, organizationId, 1, reference),
    ]);
    assert.equal((await billing.balance(organizationId)).used, settled ? before : before - 1);
  }
  await assertLedgerIsCounter(db, organizationId);
});

test("a reservation is given back when its lease has ended, and not a moment before", async (t) => {
  const { db, billing, clock, organizationId } = await startBilling(t, 5);
  await billing.reserve(db, organizationId, 1, "page");

  clock.advance(reservationLeaseMs - 1);
  await billing.releaseLapsed();
  assert.equal((await billing.balance(organizationId)).used, 1);

  clock.advance(1);
  assert.equal(await billing.settle(db, organizationId, "page"), false);
  await billing.releaseLapsed();
  assert.equal(await assertLedgerIsCounter(db, organizationId), 0);
});

test("a new month begins at zero, and a release goes to the month that paid", async (t) => {
  const { db, billing, clock, organizationId } = await startBilling(t, 2);
  const resetsAt = (await billing.balance(organizationId)).resetsAt.getTime();
  clock.advance(resetsAt - clock.now().getTime() - 1);
  await billing.charge(db, organizationId, 1, "old");
  await billing.charge(db, organizationId, 1, "old too");
  await assert.rejects(billing.charge(db, organizationId, 1, "too much"), exhausted);

  clock.advance(1);
  assert.deepEqual(await billing.charge(db, organizationId, 1, "new"), { charged: 1, remaining: 1 });
  await billing.release(db, organizationId, 1, "old");

  assert.equal((await billing.balance(organizationId)).used, 1);
  assert.equal(await assertLedgerIsCounter(db, organizationId), 2);
});

test("months are counted in UTC", () => {
  assert.equal(monthOf(new Date("2026-12-31T23:59:59.999Z")), "2026-12-01");
  assert.equal(monthOf(new Date("2027-01-01T00:00:00.000Z")), "2027-01-01");
  assert.equal(resetAfter(new Date("2026-12-31T23:59:59.999Z")).toISOString(), "2027-01-01T00:00:00.000Z");
});

test("an allowance of its own replaces the default, up and down, until it is taken away", async (t) => {
  const { db, billing, organizationId } = await startBilling(t, 2);
  await billing.setAllowance(organizationId, 4);
  assert.deepEqual(await billing.charge(db, organizationId, 4, "a"), { charged: 4, remaining: 0 });

  await billing.setAllowance(organizationId, 1);
  assert.equal((await billing.balance(organizationId)).remaining, 0);
  await assert.rejects(billing.charge(db, organizationId, 1, "b"), exhausted);

  await billing.setAllowance(organizationId, null);
  assert.equal((await billing.balance(organizationId)).allowance, 2);
  await assert.rejects(billing.setAllowance(organizationId, -1), { code: "invalid_request" });
  await assert.rejects(billing.setAllowance(organizationId, 1.5), { code: "invalid_request" });
});

test("the cached balance shows what is left, at most ten seconds old", async (t) => {
  const { db, billing, clock, organizationId } = await startBilling(t, 10);
  const elsewhere = createBilling({ db, clock, defaultAllowance: 10 });
  assert.deepEqual(await billing.cachedBalance(organizationId), { charged: 0, remaining: 10 });

  await elsewhere.charge(db, organizationId, 4, "another process");
  clock.advance(10_000);
  assert.deepEqual(await billing.cachedBalance(organizationId), { charged: 0, remaining: 6 });
  await billing.charge(db, organizationId, 1, "this process");
  assert.deepEqual(await billing.cachedBalance(organizationId), { charged: 0, remaining: 5 });
});

// Its size says nothing of how often its one row changes.
test("a counter that every charge updates is vacuumed after a thousand updates", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());

  const { rows } = await db.query<{ name: string; options: string[] }>(sql`
    select relname as name, reloptions as options
    from pg_class
    where oid in ('usage_months'::regclass, 'test_usage'::regclass)
  `);

  assert.equal(rows.length, 2);
  for (const { name, options } of rows) {
    for (const option of ["autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=1000"]) {
      assert.ok(options.includes(option), `${name}: ${options.join(", ")}`);
    }
  }
});
