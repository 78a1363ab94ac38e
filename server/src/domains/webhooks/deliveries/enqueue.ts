import type { Clock } from "../../../platform/clock.ts";
import { newUuid, uuidFromId } from "../../../platform/ids.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { scheduleMs } from "./delivery.ts";
import { findEndpointId } from "../endpoints/store.ts";
import { type AnyEvent, eventBody, type NewEvent } from "../events/event.ts";
import { type EventRow, findLastSequences, insertEvents } from "./enqueue-store.ts";

/** What other domains need: to tell what happened, and to know whom they may bind to it. */
export function createWebhooks({ clock }: { clock: Clock }) {
  /**
   * Writes events and, where an endpoint is bound to one, its delivery, as part of the caller's
   * transaction: they happened together with the state change or not at all. The caller holds a lock
   * on each resource's row; that is what makes its sequence free of gaps. Resolves to the sequences
   * of the events.
   */
  async function emit(tx: Queryable, ...events: readonly NewEvent[]): Promise<number[]> {
    return (await recordEvents(tx, clock.now(), events)).map(({ sequence }) => sequence);
  }

  return { emit, canBind };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** The UUID of an endpoint that may be bound; undefined when there is none of this organization. */
async function canBind(db: Queryable, organizationId: string, endpointId: string): Promise<string | undefined> {
  const uuid = uuidFromId("whe", endpointId);
  return uuid === undefined ? undefined : findEndpointId(db, organizationId, uuid);
}

/** Resolves to what was written. The UUIDs of the events are those of their deliveries too. */
export async function recordEvents(tx: Queryable, now: Date, events: readonly AnyEvent[]): Promise<EventRow[]> {
  if (events.length === 0) return [];
  const unknown = events.filter(({ lastSequence }) => lastSequence === undefined);
  const sequences = await findLastSequences(tx, [...new Set(unknown.map(({ resource }) => resource.id))]);
  const rows = events.map((event) => {
    const { organizationId, type, resource, endpointId } = event;
    const id = newUuid();
    const sequence = (sequences.get(resource.id) ?? event.lastSequence ?? 0) + 1;
    sequences.set(resource.id, sequence);
    const body = eventBody(event, { id, sequence, at: now });
    return {
      id,
      organizationId,
      type,
      resourceType: resource.type,
      resourceId: resource.id,
      sequence,
      body,
      endpointId,
    };
  });
  await insertEvents(tx, rows, { createdAt: now, scheduleEndsAt: new Date(now.getTime() + scheduleMs) });
  return rows;
}
