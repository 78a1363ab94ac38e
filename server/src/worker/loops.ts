import { sweepSimulated } from "../domains/businesses/index.ts";
import { sweepCollections, sweepRemovedCollections } from "../domains/collections/index.ts";
import { expireExports, type FileStore, removeUnnamedFiles, sweepExports } from "../domains/exports/index.ts";
import { createMembers } from "../domains/members/index.ts";
import { sweepScrapes } from "../domains/scrapes/index.ts";
import { runUpkeep } from "../domains/webhooks/index.ts";
import { createReconciliation, type Reconcile } from "./reconciliation.ts";
import { silentLog } from "../platform/log.ts";
import { noMeters } from "../platform/meters.ts";
import { sweepAbandonedStages } from "../data-sets/3-stage/stage-tables.ts";
import { sweepClosedRecords } from "../data-sets/8-publish/closed-records.ts";
import type { Billing } from "../domains/billing/index.ts";
import type { Clock } from "../platform/clock.ts";
import { sweepIdempotency } from "../platform/idempotency.ts";
import type { Database } from "../platform/postgres/database.ts";

/** Work that comes back at an interval, beside the queues. */
export type Loop = {
  readonly name: string;
  readonly everyMs: number;
  /** Whether it runs when the worker starts, too. */
  readonly atStart?: boolean;
  /** Does one batch as of `now`, the database's time; resolves to the number of rows it removed or refunded. */
  runBatch(now: Date): Promise<number>;
};

type LoopDeps = {
  db: Database;
  billing: Billing;
  files: FileStore;
  clock: Clock;
  retentionDays: number;
  ledgerMonths: number;
} & Partial<Pick<Reconcile, "log" | "meters">>;

/** Everything a worker does by the clock. What it does by claiming rows is in index.ts. */
export function listLoops({ db, billing, files, clock, retentionDays, ledgerMonths, ...rest }: LoopDeps): Loop[] {
  const { sessions } = createMembers({ db, clock });
  const { log = silentLog, meters = noMeters } = rest;
  return [
    { name: "scrapes.retention", everyMs: 600_000, runBatch: (now) => sweepScrapes(db, now, retentionDays) },
    { name: "collections.retention", everyMs: 600_000, runBatch: (now) => sweepCollections(db, now, retentionDays) },
    { name: "collections.removed", everyMs: 60_000, runBatch: () => sweepRemovedCollections(db) },
    { name: "simulated.retention", everyMs: 600_000, runBatch: (now) => sweepSimulated(db, now, retentionDays) },
    { name: "idempotency.retention", everyMs: 600_000, runBatch: () => sweepIdempotency(db) },
    { name: "exports.expiry", everyMs: 60_000, runBatch: (now) => expireExports(db, now) },
    { name: "exports.retention", everyMs: 600_000, runBatch: (now) => sweepExports(db, now, retentionDays) },
    { name: "exports.files", everyMs: 600_000, runBatch: (now) => removeUnnamedFiles(db, files, now) },
    { name: "webhooks.upkeep", everyMs: 60_000, runBatch: (now) => runUpkeep(db, now, retentionDays) },
    { name: "members.retention", everyMs: 600_000, runBatch: () => sessions.sweep() },
    { name: "billing.ledger", everyMs: 3_600_000, runBatch: (now) => billing.rollUpLedger(now, ledgerMonths - 1) },
    { name: "catalog.closed", everyMs: 3_600_000, runBatch: (now) => sweepClosedRecords(db, now) },
    { name: "catalog.stages", everyMs: 3_600_000, runBatch: (now) => sweepAbandonedStages(db, now) },
    {
      name: "billing.reconciliation",
      everyMs: 3_600_000,
      atStart: true,
      runBatch: createReconciliation({ billing, log, meters }),
    },
    { name: "billing.lapsed_reservations", everyMs: 30_000, runBatch: () => billing.releaseLapsed() },
  ];
}
