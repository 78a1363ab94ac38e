import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { SwitchUncertain } from "../errors.ts";
import { switchPlaces } from "../7-index/switch-places.ts";
import { switchAreas } from "../next-generation/change-areas.ts";
import { switchRecords } from "../next-generation/change-records.ts";
import { deleteReplaced, type Next, switchGeneration } from "../next-generation/generation.ts";

/** Begins the transaction that switches. Its commit makes all durable that was written before it. */
export async function beginSwitch(db: BulkConnection): Promise<void> {
  await db.execute("reset synchronous_commit");
  await db.execute("begin");
}

/** From the commit on, searches read the next generation. */
export async function commitSwitch(db: BulkConnection, next: Next): Promise<void> {
  await switchAreas(db);
  await switchRecords(db);
  await switchPlaces(db, next.generation);
  await switchGeneration(db, next);
  try {
    await db.execute("commit");
  } catch (cause) {
    // A commit whose answer is lost may have been made.
    throw SwitchUncertain(undefined, { cause });
  }
}

/** Deletes what the switch applied, and waits until searches have the new generation. */
export async function afterSwitch(db: BulkConnection, waitForSearches?: () => Promise<void>): Promise<void> {
  try {
    await deleteReplaced(db);
    await waitForSearches?.();
  } catch {
    // Interrupted, or without a database: the switch is made all the same, and the next change deletes what it applied.
  }
}
