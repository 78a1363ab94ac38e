import { schemaVersion } from "../../../platform/contract.ts";
import { eventVersion } from "./event.ts";
import { eventDefinitions, type EventName } from "./event-types.ts";
import type { NewEventData, ResourceType } from "./schemas.ts";

const createdAt = "2026-11-02T09:14:07.318Z";
const resourceUuid = "019a43b6-91e4-7c55-a1d0-5e2f8b6c7d90";
const resourceChars = "01k91vd4f4fhas3m2ybt5prxcg";

const run = { operation: "places.search", result_count: 0, error_class: null };
const half = { completed_queries: 0, total_queries: 1 };
const whole = { completed_queries: 1, total_queries: 1 };
const job = { job_id: `job_${resourceChars}` };

type AnyEventData = { [Resource in ResourceType]: NewEventData<Resource> }[ResourceType];

/** The data of an example of each event, and how many changes its resource has had. */
const examples: Record<EventName, { data: AnyEventData; sequence: number }> = {
  "scrape.started": { data: { ...job, ...run, status: "running", progress: half }, sequence: 1 },
  "scrape.progress": { data: { ...job, ...run, status: "running", progress: half, result_count: 12 }, sequence: 2 },
  "scrape.completed": { data: { ...job, ...run, status: "succeeded", progress: whole, result_count: 20 }, sequence: 3 },
  "scrape.failed": {
    data: { ...job, ...run, status: "failed", progress: half, error_class: "source_timeout" },
    sequence: 2,
  },
  "scrape.canceled": { data: { ...job, ...run, status: "canceled", progress: half }, sequence: 2 },
  "export.ready": {
    data: {
      export_id: `exp_${resourceChars}`,
      job_id: "job_01k91v9z2tff8b6k4q0w7hcmnd",
      format: "csv",
      status: "ready",
      row_count: 20,
      size_bytes: 18_432,
      error_class: null,
    },
    sequence: 1,
  },
  "webhook.test": { data: { endpoint_id: `whe_${resourceChars}` }, sequence: 1 },
};

/** A realistic body of an event. */
export function exampleBody(name: EventName) {
  const { data, sequence } = examples[name];
  return {
    id: "019a43b6-9a16-70c3-8d4e-3f1a2b5c6d7e",
    type: name,
    event_version: eventVersion,
    schema_version: schemaVersion,
    created_at: createdAt,
    organization_id: "019a3f10-2b7d-7e08-9c41-6a5d4e3f2b1c",
    request_id: "req_01k91vd3w8e7gbm5x2c9t4z6qn",
    resource: { type: eventDefinitions[name].resourceTypes[0], id: resourceUuid, sequence: String(sequence) },
    data: { ...data, version: createdAt, sequence },
  };
}
