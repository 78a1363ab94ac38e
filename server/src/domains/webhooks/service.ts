import type { Clock } from "../../platform/clock.ts";
import { uuidFromId } from "../../platform/ids.ts";
import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { enqueueEvents } from "./deliveries/enqueue.ts";
import { terminateDeliveriesOf } from "./endpoints/pending-deliveries.ts";
import { findEndpointId } from "./endpoints/store.ts";
import type { NewEvent } from "./events/event.ts";

/** What other domains need: to emit events, and to bind an endpoint to a resource. */
export function createWebhooks({ clock }: { clock: Clock }) {
  /**
   * Writes events and, where an endpoint is bound to one, its delivery, as part of the caller's
   * transaction: they commit together with the state change or not at all. The caller holds a lock
   * on each resource's row; that keeps its sequence free of gaps. Resolves to the sequences of the
   * events; those of simulated resources are not recorded, and are 0.
   *
   * Events without an endpoint are recorded too, for event streams, and leave after an hour. Recording
   * them only while a stream is open would need a lease that every worker knows before it commits, and
   * a reader that reconnects would miss what happened in between.
   */
  async function emit(tx: Queryable, ...events: readonly NewEvent[]): Promise<number[]> {
    const recorded = await enqueueEvents(
      tx,
      clock.now(),
      events.filter(({ isSimulated }) => !isSimulated),
    );
    const sequences = recorded.map(({ sequence }) => sequence).values();
    return events.map(({ isSimulated }) => (isSimulated ? 0 : (sequences.next().value ?? 0)));
  }

  /** Ends what waits for delivery of resources that are deleted, as part of the caller's transaction. */
  async function endDeliveries(tx: Transaction, organizationId: string, resourceIds: readonly string[]): Promise<void> {
    if (resourceIds.length > 0) await terminateDeliveriesOf(tx, organizationId, resourceIds, clock.now());
  }

  return { emit, canBind, endDeliveries };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** The UUID of an endpoint that may be bound; undefined when the organization has no such endpoint. */
async function canBind(db: Queryable, organizationId: string, endpointId: string): Promise<string | undefined> {
  const uuid = uuidFromId("whe", endpointId);
  return uuid === undefined ? undefined : findEndpointId(db, organizationId, uuid);
}
