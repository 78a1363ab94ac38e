import type { Clock } from "../../platform/clock.ts";
import { uuidFromId } from "../../platform/ids.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { enqueueEvents } from "./deliveries/enqueue.ts";
import { findEndpointId } from "./endpoints/store.ts";
import type { NewEvent } from "./events/event.ts";

/** What other domains need: to emit events, and to bind an endpoint to a resource. */
export function createWebhooks({ clock }: { clock: Clock }) {
  /**
   * Writes events and, where an endpoint is bound to one, its delivery, as part of the caller's
   * transaction: they commit together with the state change or not at all. The caller holds a lock
   * on each resource's row; that keeps its sequence free of gaps. Resolves to the sequences of the
   * events.
   */
  async function emit(tx: Queryable, ...events: readonly NewEvent[]): Promise<number[]> {
    return (await enqueueEvents(tx, clock.now(), events)).map(({ sequence }) => sequence);
  }

  return { emit, canBind };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** The UUID of an endpoint that may be bound; undefined when the organization has no such endpoint. */
async function canBind(db: Queryable, organizationId: string, endpointId: string): Promise<string | undefined> {
  const uuid = uuidFromId("whe", endpointId);
  return uuid === undefined ? undefined : findEndpointId(db, organizationId, uuid);
}
