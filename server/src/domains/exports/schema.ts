import type { Static } from "typebox";
import { Type } from "../../platform/schema.ts";
import { type Deleted, deleted } from "../../platform/http/deleted.ts";
import { idPattern } from "../../platform/ids.ts";
import { errorCodes, formats, jobsMax, statuses } from "./export.ts";

const ExportId = Type.String({ pattern: idPattern("exp"), description: "the id of an export, exp_…" });

/** As a part of a path: without its pattern, so that a malformed id is not found like an unknown one. */
export const ExportParams = Type.Object({
  exportId: Type.String({ description: "the id of an export, exp_…", examples: ["exp_01k5v7hq3me8ka9s6c3d0b1x7n"] }),
});

// Without their patterns, like those in paths: a malformed id is not found, as an unknown one.
const JobId = Type.String({ description: "the id of a job, job_…", examples: ["job_01k5v7h2f4e8ka9s6c3d0b1x7k"] });
const CollectionId = Type.String({
  description: "the id of a collection, col_…",
  examples: ["col_01k91vd4f4fhas3m2ybt5prxcg"],
});

/** Without its pattern or list: the service names the one that is unknown. */
const ColumnName = Type.String({ maxLength: 40, examples: ["phone"] });
const columnsMax = 100;

const exactlyOne = "Exactly one of job_id, job_ids and collection_id is given.";

export const CreateExport = Type.Object(
  {
    job_id: Type.Optional(JobId),
    job_ids: Type.Optional(
      Type.Array(JobId, {
        minItems: 1,
        maxItems: jobsMax,
        uniqueItems: true,
        description:
          "Several jobs in one file: a business found by more than one is in it once, at its newest revision.",
      }),
    ),
    collection_id: Type.Optional(CollectionId),
    format: Type.Enum([...formats]),
    columns: Type.Optional(
      Type.Union(
        [
          Type.Enum(["people", "all"]),
          Type.Array(ColumnName, { minItems: 1, maxItems: columnsMax, uniqueItems: true }),
        ],
        {
          description: "people (the default of csv and xlsx), all (the default of the others), or names of columns",
        },
      ),
    ),
    webhook_endpoint_id: Type.Optional(
      Type.String({
        pattern: idPattern("whe"),
        description:
          "the id of a webhook endpoint of the organization, whe_…, to get export.ready; without it the job's own endpoint does; live keys only",
      }),
    ),
  },
  { $id: "CreateExport", additionalProperties: false, description: exactlyOne },
);
export type CreateExport = Static<typeof CreateExport>;

const OrNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const Timestamp = () => Type.String({ format: "date-time" });

export const Export = Type.Object(
  {
    id: ExportId,
    job_id: OrNull(Type.String({ description: "The exported job; null when there are several, or a collection." })),
    job_ids: Type.Array(Type.String()),
    collection_id: OrNull(Type.String()),
    format: Type.Enum([...formats]),
    status: Type.Enum([...statuses]),
    row_count: OrNull(Type.Integer({ minimum: 0 })),
    size_bytes: OrNull(Type.Integer({ minimum: 0 })),
    sha256: OrNull(Type.String({ description: "Of the file, in lowercase hex." })),
    created_at: Timestamp(),
    expires_at: OrNull(Type.String({ format: "date-time", description: "When the file will be removed." })),
    download_url: Type.Optional(
      Type.String({
        format: "uri",
        description:
          "Only while the export is ready. Signed at each read, good for 15 minutes, for this file alone and without an API key.",
      }),
    ),
    error_code: Type.Optional(Type.Enum([...errorCodes], { description: "Why an export failed." })),
    links: Type.Object({ self: Type.String() }, { additionalProperties: false }),
  },
  { $id: "Export", additionalProperties: false },
);
export type Export = Static<typeof Export>;

export const DeletedExport = deleted("exp");
export type DeletedExport = Deleted;
