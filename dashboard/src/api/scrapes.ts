import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Business, Scrape, ScrapeResultsPage, SearchRequest, SearchResult } from "@waypost/sdk";
import { type Answer, call, create, newIdempotencyKey, read } from "./client.ts";
import type { Environment } from "./environment.tsx";
import { pollMs } from "./live-events.ts";

export type { Business, Scrape } from "@waypost/sdk";

/** What a billable call cost, from its headers. */
export type Cost = { charged: number; remaining: number };

export async function search(environment: Environment, request: SearchRequest) {
  const path = `/${environment}/search`;
  // What costs nothing needs no record of having been done.
  const answer =
    environment === "live"
      ? await create<SearchResult>(path, request)
      : await call<SearchResult>(path, { body: request });
  return { result: answer.data, cost: costOf(answer), reading: readingOf(answer) };
}

export async function createScrape(environment: Environment, input: SearchRequest & { webhook_endpoint_id?: string }) {
  const answer = await create<Scrape>(`/${environment}/scrapes`, { operation: "places.search", input });
  return { scrape: answer.data, cost: costOf(answer) };
}

export const cancelScrape = (environment: Environment, jobId: string) =>
  read<Scrape>(`/${environment}/scrapes/${jobId}/cancel`, {
    method: "POST",
    headers: { "Idempotency-Key": newIdempotencyKey() },
  });

export const deleteScrape = (environment: Environment, jobId: string) =>
  read(`/${environment}/scrapes/${jobId}`, { method: "DELETE" });

export const scrapesQuery = (environment: Environment, status: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["scrapes", environment, status ?? "all"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: "50",
        ...(pageParam && { cursor: pageParam }),
        ...(status && { status }),
      });
      return call<Scrape[]>(`/${environment}/scrapes?${query}`, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: () => pollMs(environment, 5_000),
  });

export const scrapeQuery = (environment: Environment, jobId: string) =>
  queryOptions({
    queryKey: ["scrape", environment, jobId],
    queryFn: ({ signal }) => read<Scrape>(`/${environment}/scrapes/${jobId}`, { signal }),
    // A job that is not there does not come by waiting.
    refetchInterval: ({ state }) =>
      state.status === "error" || (state.data && isTerminal(state.data)) ? false : pollMs(environment, 1_000),
  });

/** Every stored record of a job, page after page: a job has one source page, so there are few. */
export const resultsQuery = (environment: Environment, scrape: Scrape) =>
  queryOptions({
    queryKey: ["results", environment, scrape.id, scrape.status],
    async queryFn({ signal }) {
      const records: Business[] = [];
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ limit: "100", ...(cursor && { cursor }) });
        const page: ScrapeResultsPage = await read(`/${environment}/scrapes/${scrape.id}/results?${query}`, { signal });
        records.push(...page.records);
        cursor = page.records.length > 0 ? page.next_cursor : null;
      } while (cursor !== null);
      return records;
    },
  });

export function isTerminal({ status }: Scrape): boolean {
  return status !== "queued" && status !== "running";
}

/** How the question was read: a display string of RFC 9651, `%"Caf%c3%a9"`. Test searches have none. */
function readingOf({ headers }: Answer<unknown>): string | undefined {
  const header = headers.get("X-SVC-Query-Reading");
  return header === null ? undefined : decodeURIComponent(header.slice(2, -1));
}

function costOf({ headers }: Answer<unknown>): Cost {
  return {
    charged: Number(headers.get("X-SVC-Units-Charged") ?? 0),
    remaining: Number(headers.get("X-SVC-Units-Remaining") ?? 0),
  };
}
