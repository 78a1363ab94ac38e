import { schemaVersion } from "../../../platform/contract.ts";
import type { EventNameOf } from "./event-types.ts";
import type { NewEventData, ResourceType } from "./schemas.ts";

export type EventOf<Resource extends ResourceType> = {
  organizationId: string;
  type: EventNameOf<Resource>;
  resource: { type: Resource; /** The plain UUID. */ id: string };
  requestId: string;
  /** The trace that its delivery goes on with. */
  traceparent: string | null;
  /** Events of simulated resources reach nobody, and are not recorded. */
  isSimulated?: boolean;
  /** The plain UUID of the bound endpoint. */
  endpointId: string | null;
  /** The sequence of the resource's last event, where the caller knows it; otherwise it is read. */
  lastSequence?: number | undefined;
  data: NewEventData<Resource>;
};

/** A state change of a resource, as its domain reports it. */
export type NewEvent = EventOf<"scrape_job"> | EventOf<"collection"> | EventOf<"export">;

/** An event of any type, the reserved one included. */
export type AnyEvent = NewEvent | EventOf<"webhook_endpoint">;

export const eventVersion = 1;
export const bodyBytesMax = 16 * 1024;

/** The request that a stored event goes back to. A body is written by `eventBody`, so the first such name is its own. */
export function requestIdOf(body: string): string | undefined {
  return /"request_id":"(req_[0-9a-z]{26})"/.exec(body)?.[1];
}

/** The body as it is signed, sent and stored. */
export function eventBody(event: AnyEvent, { id, sequence, at }: { id: string; sequence: number; at: Date }): string {
  const createdAt = at.toISOString();
  const body = JSON.stringify({
    id,
    type: event.type,
    event_version: eventVersion,
    schema_version: schemaVersion,
    created_at: createdAt,
    organization_id: event.organizationId,
    request_id: event.requestId,
    resource: { type: event.resource.type, id: event.resource.id, sequence: String(sequence) },
    data: { ...event.data, version: createdAt, sequence },
  });
  const bytes = Buffer.byteLength(body);
  if (bytes > bodyBytesMax) throw new Error(`the body of a ${event.type} event has ${bytes} bytes`);
  return body;
}
