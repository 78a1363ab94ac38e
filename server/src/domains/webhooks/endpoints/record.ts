import { idFromUuid } from "../../../platform/ids.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointRecord } from "./schema.ts";

/** An endpoint as a client sees it. */
export function endpointRecord(endpoint: Endpoint): EndpointRecord {
  return {
    id: idFromUuid("whe", endpoint.id),
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    status: endpoint.status,
    status_reason: endpoint.statusReason,
    warned_at: endpoint.warnedAt?.toISOString() ?? null,
    secret_version: endpoint.secretVersion,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}
