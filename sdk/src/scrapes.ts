import { idempotencyKeyOf, pathOf } from "./calls.ts";
import type { CallOptions, CreateOptions } from "./options.ts";
import { type ListOptions, listOf, paged, type Paged } from "./paging.ts";
import { createPollDelay, waitFor, type WaitOptions } from "./polling.ts";
import { deletion, resource, resultsPage } from "./shape.ts";
import type { Transport } from "./transport.ts";
import type { Business, CreateScrape, Deleted, ListPage, Scrape, ScrapeResultsPage, ScrapeStatus } from "./types.ts";

export type NewScrape = Omit<CreateScrape, "operation"> & Partial<Pick<CreateScrape, "operation">>;

export type CreateScrapeOptions = CreateOptions & {
  /** Lets the service answer only when the job has ended, or after so many seconds: 1 to 25. */
  waitSeconds?: number | undefined;
};

export type ListScrapesOptions = ListOptions & { status?: ScrapeStatus | undefined };

export type ResultsOptions = ListOptions & {
  /** False to stop at what is stored now; otherwise the iteration goes on until the job has ended. */
  follow?: boolean | undefined;
};

const ended: ReadonlySet<ScrapeStatus> = new Set(["succeeded", "partial", "failed", "canceled"]);

export function createScrapes({ send, sleep }: Transport) {
  /** Creates a job of one source page, which costs one request unit however often this is retried. */
  async function create(scrape: NewScrape, options: CreateScrapeOptions = {}): Promise<Scrape> {
    const { waitSeconds } = options;
    const body = { operation: "places.search", ...scrape };
    const { data } = await send<{ data: Scrape }>({
      method: "POST",
      path: "/scrapes",
      body,
      idempotencyKey: idempotencyKeyOf(options),
      answer: resource,
      headers: waitSeconds === undefined ? {} : { Prefer: `wait=${waitSeconds}` },
      options,
    });
    return data;
  }

  async function get(jobId: string, options?: CallOptions): Promise<Scrape> {
    const path = pathOf("/scrapes", jobId);
    const { data } = await send<{ data: Scrape }>({ method: "GET", path, answer: resource, options });
    return data;
  }

  /** The organization's jobs, newest first. */
  function list(options: ListScrapesOptions = {}): Paged<Scrape, ListPage<Scrape>> {
    return listOf(send, "/scrapes", options, { status: options.status });
  }

  /** Stops a job; one that has ended stays as it is. */
  async function cancel(jobId: string, options?: CreateOptions): Promise<Scrape> {
    const path = pathOf("/scrapes", jobId, "/cancel");
    const idempotencyKey = idempotencyKeyOf(options);
    const { data } = await send<{ data: Scrape }>({ method: "POST", path, idempotencyKey, answer: resource, options });
    return data;
  }

  /** Deletes a job with its results and the exports that hold them; one that runs is canceled first. */
  async function remove(jobId: string, options?: CallOptions): Promise<Deleted> {
    const path = pathOf("/scrapes", jobId);
    return (await send<{ data: Deleted }>({ method: "DELETE", path, answer: deletion, options })).data;
  }

  /** Reads a job until it has succeeded, ended partially, failed or been canceled. */
  async function wait(jobId: string, options: WaitOptions<Scrape> = {}): Promise<Scrape> {
    return waitFor(
      (signal) => get(jobId, { ...options, signal }),
      ({ status }) => ended.has(status),
      sleep,
      options,
    );
  }

  /** Every stored record of a job, in order; of a job that runs, until it has ended. */
  function results(jobId: string, options: ResultsOptions = {}): Paged<Business, ScrapeResultsPage> {
    const { limit, follow = true, signal } = options;
    const path = pathOf("/scrapes", jobId, "/results");
    let nextDelay = createPollDelay();
    return paged(options.cursor, {
      async read(cursor) {
        const call = { method: "GET", path, query: { limit, cursor }, answer: resultsPage, options } as const;
        return (await send<{ data: ScrapeResultsPage }>(call)).data;
      },
      items: ({ records }) => records,
      async next({ records, job_status, next_cursor }) {
        if (records.length > 0) nextDelay = createPollDelay();
        if (records.length > 0 || ended.has(job_status)) return next_cursor;
        if (!follow) return null;
        await sleep(nextDelay(), signal);
        return next_cursor;
      },
    });
  }

  return { create, get, list, cancel, remove, wait, results };
}

export type Scrapes = ReturnType<typeof createScrapes>;
