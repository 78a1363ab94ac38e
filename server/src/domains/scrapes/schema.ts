import { type Static, Type } from "typebox";
import { pageParameters } from "../../platform/http/cursors.ts";
import { basePath } from "../../platform/http/server.ts";
import { idPattern } from "../../platform/ids.ts";
import type { Business } from "../businesses/index.ts";
import { SearchRequest } from "../search/index.ts";
import { errorCodes, operations, type Scrape as Job, statuses } from "./scrape.ts";

export const JobId = Type.String({ pattern: idPattern("job"), description: "the id of a job, job_…" });

const Input = Type.Object(
  {
    ...SearchRequest.properties,
    webhook_endpoint_id: Type.Optional(
      Type.String({
        pattern: idPattern("whe"),
        description: "the id of a webhook endpoint of the organization, whe_…, to be told of this job; live keys only",
      }),
    ),
  },
  { additionalProperties: false },
);

export const CreateScrape = Type.Object(
  {
    operation: Type.Enum([...operations], {
      description: "places.reviews and places.photos answer test keys only.",
    }),
    input: Input,
  },
  { $id: "CreateScrape", additionalProperties: false },
);
export type CreateScrape = Static<typeof CreateScrape>;

export const Scrape = Type.Object(
  {
    id: JobId,
    operation: Type.Enum([...operations]),
    status: Type.Enum([...statuses]),
    created_at: Type.String({ format: "date-time" }),
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
export type ListScrapes = Static<typeof ListScrapes>;

export const ReadResults = Type.Object(pageParameters, { additionalProperties: false });
export type ReadResults = Static<typeof ReadResults>;

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

type Shown = Pick<Job, "id" | "operation" | "status" | "createdAt" | "completedQueries" | "totalQueries" | "errorCode">;

export function toResource(job: Shown): Scrape {
  const self = `${basePath}/scrapes/${job.id}`;
  return {
    id: job.id,
    operation: job.operation,
    status: job.status,
    created_at: job.createdAt.toISOString(),
    progress: { completed_queries: job.completedQueries, total_queries: job.totalQueries },
    links: { self, results: `${self}/results` },
    ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
  };
}
