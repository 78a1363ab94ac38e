import type { Health, HealthReport } from "../../api/health.ts";
import { type Disk, judgeDisk } from "../../operator/disks.ts";
import { withDeadline } from "../../platform/deadline.ts";
import type { MachineIndex } from "../../place-index/file/index.ts";
import type { Drain } from "../../platform/http/drain.ts";
import type { ClockCheck } from "../../platform/postgres/clock-check.ts";
import { type Database, isDiskFull } from "../../platform/postgres/database.ts";
import { heldSentence, isWorkHeld } from "../../platform/postgres/held-work.ts";
import { compareSchema, type Migration } from "../../platform/postgres/migrate.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { FirstSetUp } from "./first-set-up.ts";
import type { SourceLoading } from "./source-loading.ts";

type ReadinessDeps = {
  db: Database;
  migrations: readonly Migration[];
  clockCheck: ClockCheck;
  drain: Drain;
  sourceLoading: SourceLoading;
  firstSetUp: FirstSetUp;
  /** Absent where nobody searches the place index. */
  placeIndex: Pick<MachineIndex, "missing"> | undefined;
  readDisks(): Promise<readonly Disk[]>;
};

/** Readiness changes within two seconds; the database has one of them to answer. */
const deadlineMs = 1_000;

/** Whether this process can serve, with warnings for the operator. */
export function createReadiness(deps: ReadinessDeps): Health {
  const { db, migrations, clockCheck, drain, sourceLoading, firstSetUp, placeIndex, readDisks } = deps;
  let checking: Promise<HealthReport> | undefined;
  let diskWellAt = 0;

  async function check(): Promise<HealthReport> {
    if (drain.isDraining()) return { problems: ["the process is stopping"], warnings: [] };
    const [database, disk] = await Promise.all([checkDatabase(), checkDisks()]);
    const loading = sourceLoading.pending();
    const missing = placeIndex?.missing();
    return {
      problems: [
        ...database.problems,
        ...disk.problems,
        ...(loading === undefined ? [] : [`the source ${loading} is still loading its data`]),
        ...(missing === undefined ? [] : [missing]),
        ...(firstSetUp.isPending() ? ["the first organization and its keys are not made yet"] : []),
      ],
      warnings: [...database.warnings, ...disk.warnings],
    };
  }

  /** Concurrent callers share one statement, so that a silent database costs one connection. */
  async function checkDatabase(): Promise<HealthReport> {
    checking ??= readDatabase().finally(() => (checking = undefined));
    const shared = checking;
    const signal = new AbortController().signal;
    try {
      return await withDeadline(() => shared, { signal, deadlineMs, timeout: () => new Error("no answer in time") });
    } catch {
      return { problems: ["the database does not answer"], warnings: [] };
    }
  }

  async function readDatabase(): Promise<HealthReport> {
    const { aheadMs, isTrusted } = await clockCheck.read();
    const { rows } = await db.query<{ readOnly: boolean }>(sql`
      select current_setting('transaction_read_only') = 'on' as "readOnly"
    `);
    const { isBehind, refusal } = await compareSchema(db, migrations);
    return {
      problems: [
        ...(rows[0]?.readOnly ? ["the database takes no writes"] : []),
        ...((await isServerDiskFull()) ? ["the disk of the database's server is full"] : []),
        ...(isBehind ? ["the database lacks migrations"] : []),
      ],
      warnings: [
        ...(isTrusted ? [] : [clockSentence(aheadMs)]),
        ...(refusal === undefined ? [] : [refusal]),
        ...((await isWorkHeld(db)) ? [heldSentence] : []),
      ],
    };
  }

  /** After a statement fails for lack of disk, the server counts as full until a statement that needs disk succeeds. */
  async function isServerDiskFull(): Promise<boolean> {
    const { diskFullAt } = db.pool();
    if (diskFullAt === undefined || diskFullAt < diskWellAt) return false;
    const startedAt = performance.now();
    try {
      await spillToDisk(db);
    } catch (error) {
      if (isDiskFull(error)) return true;
      throw error;
    }
    diskWellAt = startedAt;
    return false;
  }

  async function checkDisks(): Promise<HealthReport> {
    const judged = (await readDisks()).map(judgeDisk);
    const those = (wanted: string) => judged.filter(({ state }) => state === wanted).map(({ says }) => says);
    return { problems: those("problem"), warnings: those("warning") };
  }

  return { check };
}

/** Writes about a megabyte to a temporary file of the database's server, which removes it again. */
async function spillToDisk(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`set local work_mem = '64kB'`);
    await tx.query(sql`select count(*) from generate_series(1, 50000)`);
  });
}

export function clockSentence(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `this process's clock is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's; it deletes nothing until the clocks agree`;
}
