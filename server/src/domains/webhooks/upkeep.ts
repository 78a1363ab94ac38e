import type { Database } from "../../platform/postgres/database.ts";
import { overlapMs } from "./endpoints/secret.ts";
import { deleteDrainedSecrets } from "./endpoints/secret-store.ts";
import { lastEventTypes } from "./events/event-types.ts";
import {
  deleteDeletedEndpoints,
  deleteOldEvents,
  deleteUnboundEvents,
  terminateWaitingTooLong,
} from "./upkeep-store.ts";

const batchMax = 1_000;
const hour = 3_600_000;
const day = 24 * hour;
/** How long an event that went to no endpoint can be read by a stream that resumes. */
const unboundRetentionMs = hour;

/**
 * Ends deliveries that waited out their schedule, and deletes superseded secrets, old events and
 * endpoints that were deleted long ago: one batch of each. Resolves to the number of rows.
 */
export async function runUpkeep(db: Database, now: Date, retentionDays: number): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const terminated = await terminateWaitingTooLong(db, now, batchMax);
  const secrets = await deleteDrainedSecrets(db, before(overlapMs), batchMax);
  const unbound = await deleteUnboundEvents(db, lastEventTypes, before(unboundRetentionMs), batchMax);
  const events = await deleteOldEvents(db, before(retentionDays * day), batchMax);
  const endpoints = await deleteDeletedEndpoints(db, before(retentionDays * day), batchMax);
  return terminated + secrets + unbound + events + endpoints;
}
