import type { Database } from "../../platform/postgres/database.ts";
import { overlapMs } from "./endpoints/secret.ts";
import { deleteDrainedSecrets } from "./endpoints/secret-store.ts";
import { deleteOldEvents, terminateWaitingTooLong } from "./upkeep-store.ts";

const batchMax = 1_000;
const eventRetentionMs = 30 * 24 * 3_600_000;

/**
 * Ends deliveries that waited out their schedule, and deletes superseded secrets and old events: one
 * batch of each. Resolves to the number of rows.
 */
export async function runUpkeep(db: Database, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const terminated = await terminateWaitingTooLong(db, now, batchMax);
  const secrets = await deleteDrainedSecrets(db, before(overlapMs), batchMax);
  const events = await deleteOldEvents(db, before(eventRetentionMs), batchMax);
  return terminated + secrets + events;
}
