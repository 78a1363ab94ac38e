import pg from "pg";
import type { Log } from "../log.ts";
import { type Database, isOutage, isSchemaChange, type Queryable } from "./database.ts";
import { createReplicaCheck, NotAReplica } from "./replica-check.ts";
import { sql } from "./sql.ts";
import type { StallLimits } from "./stall-watch.ts";

/** Where statements that only read may run: the primary, or a replica with the primary behind it. */
export type Reads = Pick<Database, "query" | "transaction">;

/** A search has five seconds: a replica that answers nothing leaves most of them to the primary. */
export const replicaStallLimits: StallLimits = { slowMs: 500, probeMs: 1_500, lookMs: 100, silentMs: 1_000 };

type ReplicaReadsDeps = {
  replica: Reads;
  primary: Reads;
  log: Log;
  /** How long nothing is read from a replica that was lost, in milliseconds. */
  lostMs?: number;
  /** How long a server may have ceased to be a replica before that is noticed. */
  checkMs?: number;
};

/**
 * Reads from a replica. While it is out of reach, or is none, the primary answers, and from time to time one read
 * tries the replica again. A transaction runs on one of the two servers from its beginning to its end;
 * two statements may run on different ones, of which either may be behind.
 */
export function createReplicaReads(deps: ReplicaReadsDeps): Reads {
  const { replica, primary, log, lostMs = 5_000, checkMs = 5_000 } = deps;
  const replicaCheck = createReplicaCheck({ replica, primary, everyMs: checkMs });
  let lostAt: number | undefined;
  let triedAt = 0;

  async function run<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result> {
    if (!isWorthTrying()) return work(primary);
    try {
      if (replicaCheck.isDue()) await replicaCheck.check();
      const result = await work(replica);
      noteFound();
      return result;
    } catch (error) {
      if (isOutage(error) || error instanceof NotAReplica) noteLost(error);
      else if (!isConflict(error) && !isSchemaChange(error)) throw error;
      return work(primary);
    }
  }

  /** Only one of the reads that come at the same time tries a lost replica; the others do not wait for it. */
  function isWorthTrying(): boolean {
    if (lostAt === undefined) return true;
    if (performance.now() - triedAt < lostMs) return false;
    triedAt = performance.now();
    return true;
  }

  function noteLost(error: unknown) {
    triedAt = performance.now();
    if (lostAt !== undefined) return;
    lostAt = triedAt;
    log.warn({ error: error instanceof Error ? error.message : String(error) }, "postgres.replica_lost");
  }

  function noteFound() {
    if (lostAt === undefined) return;
    log.warn({ seconds: Math.round(performance.now() - lostAt) / 1_000 }, "postgres.replica_found");
    lostAt = undefined;
  }

  return {
    query: (statement) => run((reads) => reads.query(statement)),
    transaction: (work) => run((reads) => reads.transaction(work)),
  };
}

/** Runs statements that see one state of the database, whatever commits between them. */
export function inSnapshot<Result>(reads: Reads, work: (snapshot: Queryable) => Promise<Result>): Promise<Result> {
  return reads.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`);
    return work(tx);
  });
}

/** A replica ends statements that still need rows which the primary has removed. */
function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01");
}
