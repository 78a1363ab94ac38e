import { Type } from "../platform/schema.ts";
import { CreateScrape, ListScrapes, type Scrapes } from "../domains/scrapes/index.ts";
import { type Search, SearchRequest } from "../domains/search/index.ts";
import { waitSecondsMax } from "../platform/http/prefer.ts";
import { Fields, trimPage, trimRecord } from "./records.ts";
import { pageInput, pageRequest } from "./schemas.ts";
import { createsAgain, creates, defineTool, destroys, reads, type Tool } from "./tool.ts";

export type ScrapeToolDeps = { search: Search; scrapes: Scrapes };

const jobId = { job_id: Type.String() };
const { operation, input: scrapeInput } = CreateScrape.properties;

export function scrapeTools({ search, scrapes }: ScrapeToolDeps): Tool[] {
  return [
    defineTool({
      name: "search_businesses",
      title: "Search businesses",
      about:
        'Finds up to 20 businesses for q, such as "coffee in Vaduz", and answers at once. To keep results use create_scrape, for a whole area create_collection.',
      operation: "search",
      hints: { ...createsAgain, openWorldHint: true },
      input: Type.Object({ ...SearchRequest.properties, fields: Type.Optional(Fields) }),
      async run({ principal, signal }, { fields, idempotency_key: idempotencyKey, ...request }) {
        const found = await search.find(principal, request, { idempotencyKey, whenGone: () => signal });
        const { data, balance: units, replayed, reading = null } = found;
        const businesses = data.businesses.map((business) => trimRecord(business, fields));
        return { query_reading: reading, ...data, businesses, units, replayed };
      },
    }),
    defineTool({
      name: "create_scrape",
      title: "Create a scrape job",
      about:
        "Starts a durable job for one page of what search_businesses finds. Wait with wait_seconds, or read get_scrape until it is succeeded, partial, failed or canceled; then get_scrape_results.",
      operation: "createScrape",
      hints: { ...creates, openWorldHint: true },
      flattened: "input",
      input: Type.Object({
        ...scrapeInput.properties,
        operation: Type.Optional(operation),
        wait_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: waitSecondsMax })),
      }),
      async run(call, { wait_seconds: waitSeconds, idempotency_key: idempotencyKey, ...request }) {
        const { principal, requestId, traceparent, signal } = call;
        const { operation: wanted = "places.search", ...input } = request;
        const answered = new AbortController();
        if (waitSeconds !== undefined) {
          call.reportWaiting(waitSeconds, AbortSignal.any([signal, answered.signal]));
        }
        try {
          const context = { idempotencyKey, requestId, traceparent, waitSeconds, signal };
          const created = await scrapes.create(principal, { operation: wanted, input }, context);
          const { job, balance: units, replayed } = created;
          return { job, units, replayed };
        } finally {
          answered.abort();
        }
      },
    }),
    defineTool({
      name: "list_scrapes",
      title: "List scrape jobs",
      about: "Lists jobs, newest first.",
      operation: "listScrapes",
      hints: reads,
      input: Type.Object({ status: ListScrapes.properties.status, ...pageInput }),
      async run({ principal }, { status, ...page }) {
        const { items, nextCursor } = await scrapes.list(principal, { ...pageRequest(page), status });
        return { jobs: items, next_cursor: nextCursor };
      },
    }),
    defineTool({
      name: "get_scrape",
      title: "Read a scrape job",
      about: "Reads the status and progress of a job.",
      operation: "getScrape",
      hints: reads,
      input: Type.Object(jobId),
      run: async ({ principal }, { job_id: id }) => ({ job: await scrapes.get(principal, id) }),
    }),
    defineTool({
      name: "get_scrape_results",
      title: "Read job results",
      about: "Reads stored records of a job. create_export writes them all to a file.",
      operation: "getScrapeResults",
      hints: reads,
      input: Type.Object({ ...jobId, fields: Type.Optional(Fields), ...pageInput }),
      run: async ({ principal }, { job_id: id, fields, ...page }) =>
        trimPage(await scrapes.results(principal, id, pageRequest(page)), fields),
    }),
    defineTool({
      name: "cancel_scrape",
      title: "Cancel a scrape job",
      about: "Stops a job for good. Its stored records stay, and its unit stays charged.",
      operation: "cancelScrape",
      hints: destroys,
      input: Type.Object(jobId),
      async run({ principal }, { job_id: id, idempotency_key: idempotencyKey }) {
        const { job, replayed } = await scrapes.cancel(principal, id, idempotencyKey);
        return { job, replayed };
      },
    }),
    defineTool({
      name: "delete_scrape",
      title: "Delete a scrape job",
      about: "Deletes a job, its records and their exports for good.",
      operation: "deleteScrape",
      hints: destroys,
      input: Type.Object(jobId),
      run: async ({ principal }, { job_id: id }) => scrapes.remove(principal, id),
    }),
  ];
}
