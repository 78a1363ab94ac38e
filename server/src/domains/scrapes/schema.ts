import { Type } from "../../platform/schema.ts";
import { type Deleted, deleted } from "../../platform/http/deleted.ts";
import type { PageRequest } from "../../platform/pages.ts";
import type { Static } from "typebox";
import { pageParameters } from "../../platform/http/page-query.ts";
import { basePath } from "../../platform/contract.ts";
import { idFromUuid, idPattern } from "../../platform/ids.ts";
import type { Business } from "../businesses/index.ts";
import { SearchParams, SearchRequest } from "../search/index.ts";
import { operationNames, operationsText } from "./operations.ts";
import { errorCodes, statuses } from "./scrape.ts";
import type { ShownScrape } from "./store.ts";

// Any text in the path: one that is no id names nothing, and is answered as such.
export const JobParams = Type.Object({
  jobId: Type.String({ description: "the id of a job, job_…", examples: ["job_01k5v7h2f4e8ka9s6c3d0b1x7m"] }),
});

const boundEndpoint = {
  webhook_endpoint_id: Type.Optional(
    Type.String({
      pattern: idPattern("whe"),
      description:
        "the id of a webhook endpoint of the organization, whe_…, that gets this job's events; live keys only",
    }),
  ),
};

const Input = Type.Object({ ...SearchRequest.properties, ...boundEndpoint }, { additionalProperties: false });

export const CreateScrape = Type.Object(
  {
    operation: Type.Enum([...operationNames], { description: operationsText }),
    input: Input,
  },
  { $id: "CreateScrape", additionalProperties: false },
);
export type CreateScrape = Static<typeof CreateScrape>;

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

export const Scrape = Type.Object(
  {
    id: Type.String({ pattern: idPattern("job"), description: "the id of the job, job_…" }),
    operation: Type.Enum([...operationNames]),
    status: Type.Enum([...statuses]),
    input: Type.Object(
      { ...SearchParams.properties, ...boundEndpoint },
      { additionalProperties: false, description: "The input as it was accepted, with the defaults filled in." },
    ),
    created_at: Type.String({ format: "date-time" }),
    started_at: timeOrNull("When a worker began; null before."),
    finished_at: timeOrNull("When the job ended; null before."),
    next_attempt_at: timeOrNull("When the job is tried again, while it waits for the source; otherwise null."),
    result_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: "How many records are stored so far; null before a worker began.",
    }),
    query_reading: Type.Union([Type.String(), Type.Null()], {
      description: "How the source read the question, and what it did not understand; null until it is known.",
    }),
    progress: Type.Object(
      { completed_queries: Type.Integer({ minimum: 0 }), total_queries: Type.Integer({ minimum: 0 }) },
      { additionalProperties: false },
    ),
    links: Type.Object({ self: Type.String(), results: Type.String() }, { additionalProperties: false }),
    error_code: Type.Optional(
      Type.Enum([...errorCodes], { description: "Why a job failed, or what a partial one had to leave out." }),
    ),
  },
  { $id: "Scrape", additionalProperties: false },
);
export type Scrape = Static<typeof Scrape>;

export const ListScrapes = Type.Object(
  { status: Type.Optional(Type.Enum([...statuses])), ...pageParameters },
  { additionalProperties: false },
);
export type ListScrapes = PageRequest & { status?: Static<typeof ListScrapes>["status"] | undefined };

export const ReadResults = Type.Object(pageParameters, { additionalProperties: false });

export const ScrapeResults = Type.Object(
  {
    records: Type.Array(Type.Unsafe<Business>(Type.Ref("Business")), { maxItems: 100 }),
    job_status: Type.Enum([...statuses]),
    is_complete: Type.Boolean({ description: "True only for a job that succeeded." }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "Null only when the job has ended and everything stored has been read.",
    }),
  },
  { additionalProperties: false },
);

/** A page of results whose records are the text that was stored. */
export type ResultsPage = Omit<Static<typeof ScrapeResults>, "records"> & { recordTexts: readonly string[] };

export function toResource(job: Omit<ShownScrape, "uuid">): Scrape {
  const self = `${basePath}/scrapes/${job.id}`;
  const { webhookEndpointId: endpoint } = job;
  return {
    id: job.id,
    operation: job.operation,
    status: job.status,
    input: endpoint === null ? job.params : { ...job.params, webhook_endpoint_id: idFromUuid("whe", endpoint) },
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    next_attempt_at: job.nextAttemptAt?.toISOString() ?? null,
    result_count: job.startedAt === null ? null : job.resultCount,
    query_reading: job.queryReading,
    progress: { completed_queries: job.completedQueries, total_queries: job.totalQueries },
    links: { self, results: `${self}/results` },
    ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
  };
}

export const DeletedScrape = deleted("job");
export type DeletedScrape = Deleted;
