import pg from "pg";
import { isOutage, type Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** What answers in the replica's place has other data than the primary, or gets no more of it. */
export class NotAReplica extends Error {}

type ReplicaCheckDeps = { replica: Queryable; primary: Queryable; everyMs: number };

type Identity = {
  /** Of the cluster and of the database in it: a copy that follows has both of them from its primary. */
  origin: string;
  /** Of the server, until it is started again. */
  startedAt: string;
  isFollowing: boolean;
};

/**
 * Makes sure, from time to time, that a server is a replica of the primary, or the primary itself: one that was
 * promoted keeps its sessions and answers on, with what it had by then.
 */
export function createReplicaCheck({ replica, primary, everyMs }: ReplicaCheckDeps) {
  let checkedAt = -Infinity;
  let checking: Promise<void> | undefined;
  let origin: string | undefined;

  async function compare(): Promise<void> {
    const found = await findIdentity(replica);
    if (found && !(found.isFollowing && found.origin === origin)) {
      const original = await findIdentity(primary);
      if (original) refuseOther(found, original);
      origin = original?.origin;
    }
    checkedAt = performance.now();
  }

  return {
    isDue: () => performance.now() - checkedAt >= everyMs,
    /** Rejects with NotAReplica, or as the statement did when one of the servers is away. */
    check(): Promise<void> {
      return (checking ??= compare().finally(() => (checking = undefined)));
    },
  };
}

function refuseOther(found: Identity, original: Identity) {
  if (found.origin !== original.origin) {
    throw new NotAReplica("DATABASE_READ_URL leads to another database than that of DATABASE_URL");
  }
  if (!found.isFollowing && found.startedAt !== original.startedAt) {
    throw new NotAReplica("the server of DATABASE_READ_URL was promoted, and follows the one of DATABASE_URL no more");
  }
}

/** Undefined where a server keeps it to itself: nothing can be compared then. */
async function findIdentity(db: Queryable): Promise<Identity | undefined> {
  try {
    const { rows } = await db.query<Identity>(sql`
      select concat(system_identifier, ' ', pg_database.oid) as origin,
        pg_postmaster_start_time()::text as "startedAt",
        pg_is_in_recovery() as "isFollowing"
      from pg_control_system(), pg_database
      where datname = current_database()
    `);
    return rows[0];
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isOutage(error)) return undefined;
    throw error;
  }
}
