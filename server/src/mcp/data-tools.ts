import { Type } from "../platform/schema.ts";
import { CreateExport, Export, type Exports, withDownloadUrl } from "../domains/exports/index.ts";
import { CreateScrape, Scrape, ScrapeResults, type Scrapes } from "../domains/scrapes/index.ts";
import { type Search, SearchData, SearchRequest } from "../domains/search/index.ts";
import { waitSecondsMax } from "../platform/http/prefer.ts";
import { Fields, resultsDefault, TrimmedRecord, trimPage, trimRecord } from "./records.ts";
import { bareSchema, NextCursor, pageInput, pageRequest, Replayed, Units } from "./schemas.ts";
import { createsAgain, creates, defineTool, destroys, reads, type Tool } from "./tool.ts";

export type DataToolDeps = { search: Search; scrapes: Scrapes; exports: Exports };

const JobId = Type.String({ description: "The id of a scrape job, job_…" });
const Job = { job: bareSchema(Scrape) };
const Made = { export: bareSchema(Export) };

export function dataTools({ search, scrapes, exports }: DataToolDeps): Tool[] {
  return [
    defineTool({
      name: "search_businesses",
      title: "Search businesses",
      about:
        "Finds up to 20 businesses of one page and answers at once. Use it for a question that one page answers; use create_scrape when the results shall be kept, exported or announced by webhook, and create_collection for everything in an area.",
      operation: "search",
      hints: { ...createsAgain, openWorldHint: true },
      input: Type.Object({ ...SearchRequest.properties, fields: Type.Optional(Fields) }),
      output: Type.Object({
        total: Type.Integer(),
        params: bareSchema(SearchData.properties.params),
        businesses: Type.Array(TrimmedRecord),
        simulated: SearchData.properties.simulated,
        units: Units,
        ...Replayed,
      }),
      async run({ principal, signal }, { fields, idempotency_key: idempotencyKey, ...request }) {
        const found = await search.find(principal, request, { idempotencyKey, whenGone: () => signal });
        const { data, balance: units, replayed } = found;
        const businesses = data.businesses.map((business) => trimRecord(business, fields));
        return { ...data, businesses, units, replayed };
      },
    }),
    defineTool({
      name: "create_scrape",
      title: "Create a scrape job",
      about:
        "Starts a durable job that collects one page of businesses and keeps its results for days. With wait_seconds it answers when the job has ended or the time is over; otherwise read it with get_scrape until its status is succeeded, partial, failed or canceled, then call get_scrape_results.",
      operation: "createScrape",
      hints: { ...creates, openWorldHint: true },
      input: Type.Object({
        ...CreateScrape.properties,
        wait_seconds: Type.Optional(
          Type.Integer({ minimum: 1, maximum: waitSecondsMax, description: "How long to wait for the job's end." }),
        ),
      }),
      output: Type.Object({ ...Job, units: Units, ...Replayed }),
      async run(call, { wait_seconds: waitSeconds, idempotency_key: idempotencyKey, ...request }) {
        const { principal, requestId, traceparent, signal } = call;
        const answered = new AbortController();
        if (waitSeconds !== undefined) {
          call.reportWaiting(waitSeconds, AbortSignal.any([signal, answered.signal]));
        }
        try {
          const context = { idempotencyKey, requestId, traceparent, waitSeconds, signal };
          const { job, balance: units, replayed } = await scrapes.create(principal, request, context);
          return { job, units, replayed };
        } finally {
          answered.abort();
        }
      },
    }),
    defineTool({
      name: "get_scrape",
      title: "Read a scrape job",
      about: "Reads the status and progress of a job. Use it to wait for a job that create_scrape started.",
      operation: "getScrape",
      hints: reads,
      input: Type.Object({ job_id: JobId }),
      output: Type.Object(Job),
      run: async ({ principal }, { job_id: jobId }) => ({ job: await scrapes.get(principal, jobId) }),
    }),
    defineTool({
      name: "get_scrape_results",
      title: "Read the results of a scrape job",
      about:
        "Reads stored records of a job, a few at a time and trimmed to the fields you name. Use next_cursor to read on, and create_export when you need all records in a file.",
      operation: "getScrapeResults",
      hints: reads,
      input: Type.Object({ job_id: JobId, fields: Type.Optional(Fields), ...pageInput(resultsDefault) }),
      output: Type.Object({
        ...bareSchema(ScrapeResults).properties,
        records: Type.Array(TrimmedRecord),
        next_cursor: NextCursor,
      }),
      async run({ principal }, { job_id: jobId, fields, ...page }) {
        return trimPage(await scrapes.results(principal, jobId, pageRequest(page, resultsDefault)), fields);
      },
    }),
    defineTool({
      name: "cancel_scrape",
      title: "Cancel a scrape job",
      about:
        "Stops a job for good; what it stored stays readable and its unit stays charged. A job that has ended stays as it is.",
      operation: "cancelScrape",
      hints: destroys,
      input: Type.Object({ job_id: JobId }),
      output: Type.Object({ ...Job, ...Replayed }),
      async run({ principal }, { job_id: jobId, idempotency_key: idempotencyKey }) {
        const { job, replayed } = await scrapes.cancel(principal, jobId, idempotencyKey);
        return { job, replayed };
      },
    }),
    defineTool({
      name: "create_export",
      title: "Export results to a file",
      about:
        "Writes the stored records of jobs or of a collection to a file. Use it for large results: the file does not pass through your context. Read it with get_export until it is ready.",
      operation: "createExport",
      hints: creates,
      input: CreateExport,
      output: Type.Object({ ...Made, ...Replayed }),
      async run({ principal, requestId, traceparent, origin }, { idempotency_key: idempotencyKey, ...request }) {
        const created = await exports.create(principal, request, { idempotencyKey, requestId, traceparent });
        return { export: withDownloadUrl(created.export, origin), replayed: created.replayed };
      },
    }),
    defineTool({
      name: "get_export",
      title: "Read an export",
      about: "Reads the status of an export and, when it is ready, a download link that is good for 15 minutes.",
      operation: "getExport",
      hints: reads,
      input: Type.Object({ export_id: Type.String({ description: "The id of an export, exp_…" }) }),
      output: Type.Object(Made),
      async run({ principal, origin }, { export_id: exportId }) {
        return { export: withDownloadUrl(await exports.get(principal, exportId), origin) };
      },
    }),
  ];
}
