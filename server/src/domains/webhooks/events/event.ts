import { schemaVersion } from "../../../platform/http/envelope.ts";

/** What an endpoint can subscribe to. */
export const eventTypes = [
  "scrape.started",
  "scrape.progress",
  "scrape.completed",
  "scrape.failed",
  "scrape.canceled",
  "export.ready",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent by the test operation alone, to every endpoint whatever it subscribed to. */
export const testEventType = "webhook.test";

/** Something that happened to a resource, as its domain tells it. */
export type NewEvent = {
  organizationId: string;
  type: EventType;
  resource: { type: "scrape_job" | "export"; /** The plain UUID. */ id: string };
  requestId: string;
  /** The plain UUID of the bound endpoint. */
  endpointId: string | null;
  /** The sequence of the resource's last event, where the caller knows it; else it is looked up. */
  lastSequence?: number | undefined;
  /** Without `version` and `sequence`, which are added. */
  data: Record<string, unknown>;
};

/** An event of any type, the reserved one included. */
export type AnyEvent = Omit<NewEvent, "type" | "resource"> & {
  type: EventType | typeof testEventType;
  resource: { type: NewEvent["resource"]["type"] | "webhook_endpoint"; id: string };
};

export const bodyBytesMax = 16 * 1024;

/** The body as it is signed, sent and kept. */
export function eventBody(event: AnyEvent, { id, sequence, at }: { id: string; sequence: number; at: Date }): string {
  const createdAt = at.toISOString();
  const body = JSON.stringify({
    id,
    type: event.type,
    event_version: 1,
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
