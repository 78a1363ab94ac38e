import { newUuid } from "../../../platform/ids.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { scheduleMs } from "./schedule.ts";
import { type AnyEvent, eventBody } from "../events/event.ts";
import { type EventRow, findLastSequences, insertEvents } from "./enqueue-store.ts";

/** Writes events and the deliveries of those whose endpoint wants them. A delivery has the UUID of its event. */
export async function enqueueEvents(tx: Queryable, now: Date, events: readonly AnyEvent[]): Promise<EventRow[]> {
  if (events.length === 0) return [];
  const unknown = events.filter(({ lastSequence }) => lastSequence === undefined);
  const sequences = await findLastSequences(tx, [...new Set(unknown.map(({ resource }) => resource.id))]);
  const rows = events.map((event) => {
    const { organizationId, type, resource, endpointId, traceparent } = event;
    const id = newUuid(now);
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
      traceparent,
      endpointId,
    };
  });
  await insertEvents(tx, rows, { createdAt: now, scheduleEndsAt: new Date(now.getTime() + scheduleMs) });
  return rows;
}
