import type { Static } from "typebox";
import { Type } from "../../../platform/schema.ts";
import { idPattern } from "../../../platform/ids.ts";

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const jobStatuses = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;

/** What `data` of every event ends with; the event's writer adds these two. */
const changeFields = {
  version: Type.String({ format: "date-time", description: "When the resource changed." }),
  sequence: Type.Integer({
    minimum: 1,
    description: "Counts the state changes of the resource, from 1 and without gaps.",
  }),
};

const runFields = {
  operation: Type.String({ description: "places.search, or places.collect for a collection." }),
  status: Type.Enum([...jobStatuses]),
  progress: Type.Object(
    { completed_queries: Type.Integer({ minimum: 0 }), total_queries: Type.Integer({ minimum: 0 }) },
    { additionalProperties: false },
  ),
  result_count: Type.Integer({ minimum: 0, description: "Results stored so far." }),
  error_class: orNull(Type.String({ description: "Why it failed or is partial; else null." })),
};

const closed = { additionalProperties: false };

/** The names of the schemas below in the OpenAPI document. */
export const eventDataIds = {
  scrape_job: "ScrapeJobEventData",
  collection: "CollectionEventData",
  export: "ExportEventData",
  webhook_endpoint: "WebhookEndpointEventData",
} as const;

/** The `data` of an event, by the type of its resource. */
export const eventData = {
  scrape_job: Type.Object(
    { job_id: Type.String({ pattern: idPattern("job") }), ...runFields, ...changeFields },
    { $id: eventDataIds.scrape_job, ...closed },
  ),
  collection: Type.Object(
    { collection_id: Type.String({ pattern: "^col_[0-9a-z]{26}$" }), ...runFields, ...changeFields },
    { $id: eventDataIds.collection, ...closed },
  ),
  export: Type.Object(
    {
      export_id: Type.String({ pattern: "^exp_[0-9a-z]{26}$" }),
      job_id: orNull(Type.String({ pattern: idPattern("job"), description: "Null when it has several sources." })),
      format: Type.String(),
      status: Type.Enum(["queued", "running", "ready", "failed", "expired"]),
      row_count: orNull(Type.Integer({ minimum: 0 })),
      size_bytes: orNull(Type.Integer({ minimum: 0 })),
      error_class: orNull(Type.String()),
      ...changeFields,
    },
    { $id: eventDataIds.export, ...closed },
  ),
  webhook_endpoint: Type.Object(
    { endpoint_id: Type.String({ pattern: idPattern("whe") }), ...changeFields },
    { $id: eventDataIds.webhook_endpoint, ...closed },
  ),
};

export type ResourceType = keyof typeof eventData;

export const resourceTypes = Object.keys(eventData) as ResourceType[];

/** The `data` that a domain passes on: what the event's writer adds is left out. */
export type NewEventData<Resource extends ResourceType> = Omit<
  Static<(typeof eventData)[Resource]>,
  keyof typeof changeFields
>;
