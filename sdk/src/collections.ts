import { idempotencyKeyOf, pathOf } from "./calls.ts";
import type { CallOptions, CreateOptions } from "./options.ts";
import { type ListOptions, listOf, paged, type Paged } from "./paging.ts";
import { createPollDelay, waitFor, type WaitOptions } from "./polling.ts";
import type { ResultsOptions } from "./scrapes.ts";
import { deletion, resource, resultsPage } from "./shape.ts";
import type { Transport } from "./transport.ts";
import type {
  Business,
  Collection,
  CollectionCell,
  CollectionCoverage,
  CollectionEstimate,
  CollectionResultsPage,
  CollectionStatus,
  CreateCollection,
  Deleted,
  EstimateCollection,
  ListPage,
} from "./types.ts";

const ended: ReadonlySet<CollectionStatus> = new Set(["succeeded", "partial", "failed", "canceled"]);
/** A paused collection does not go on by itself. */
const resting: ReadonlySet<CollectionStatus> = new Set([...ended, "paused"]);

export function createCollections({ send, sleep }: Transport) {
  /** Starts to collect everything for a query in an area; never for more units than `max_units`. */
  async function create(body: CreateCollection, options?: CreateOptions): Promise<Collection> {
    const idempotencyKey = idempotencyKeyOf(options);
    const call = { method: "POST", path: "/collections", body, idempotencyKey, answer: resource, options } as const;
    return (await send<{ data: Collection }>(call)).data;
  }

  /** Counts what a collection would take. Free, where the source can count. */
  async function estimate(body: EstimateCollection, options?: CallOptions): Promise<CollectionEstimate> {
    const call = { method: "POST", path: "/collections/estimate", body, answer: { data: {} }, options } as const;
    return (await send<{ data: CollectionEstimate }>(call)).data;
  }

  async function get(collectionId: string, options?: CallOptions): Promise<Collection> {
    const path = pathOf("/collections", collectionId);
    return (await send<{ data: Collection }>({ method: "GET", path, answer: resource, options })).data;
  }

  /** The organization's collections, newest first. */
  function list(options: ListOptions = {}): Paged<Collection, ListPage<Collection>> {
    return listOf(send, "/collections", options);
  }

  /** Stops the work until it is resumed; nothing is charged meanwhile. */
  const pause = (collectionId: string, options?: CallOptions) => control(collectionId, "pause", options);
  const resume = (collectionId: string, options?: CallOptions) => control(collectionId, "resume", options);
  /** Stops a collection for good; one that has ended stays as it is. */
  const cancel = (collectionId: string, options?: CallOptions) => control(collectionId, "cancel", options);

  /** Deletes a collection with its records and the exports that hold them; one that has not ended is canceled first. */
  async function remove(collectionId: string, options?: CallOptions): Promise<Deleted> {
    const path = pathOf("/collections", collectionId);
    return (await send<{ data: Deleted }>({ method: "DELETE", path, answer: deletion, options })).data;
  }

  async function control(
    collectionId: string,
    verb: "pause" | "resume" | "cancel",
    options: CallOptions | undefined,
  ): Promise<Collection> {
    const path = pathOf("/collections", collectionId, `/${verb}`);
    return (await send<{ data: Collection }>({ method: "POST", path, answer: resource, options })).data;
  }

  /** Reads a collection until it has ended, or is paused. */
  async function wait(collectionId: string, options: WaitOptions<Collection> = {}): Promise<Collection> {
    return waitFor(
      (signal) => get(collectionId, { ...options, signal }),
      ({ status }) => resting.has(status),
      sleep,
      options,
    );
  }

  /** Every stored record of a collection, in order; of one that runs, until it has ended or is paused. */
  function results(collectionId: string, options: ResultsOptions = {}): Paged<Business, CollectionResultsPage> {
    const { limit, follow = true, signal } = options;
    const path = pathOf("/collections", collectionId, "/results");
    let nextDelay = createPollDelay();
    return paged(options.cursor, {
      async read(cursor) {
        const call = { method: "GET", path, query: { limit, cursor }, answer: resultsPage, options } as const;
        return (await send<{ data: CollectionResultsPage }>(call)).data;
      },
      items: ({ records }) => records,
      async next({ records, job_status, next_cursor }) {
        if (records.length > 0) nextDelay = createPollDelay();
        if (records.length > 0 || ended.has(job_status)) return next_cursor;
        if (!follow || job_status === "paused") return null;
        await sleep(nextDelay(), signal);
        return next_cursor;
      },
    });
  }

  /** The cells of the area as GeoJSON features, in the order they were made. */
  function coverage(collectionId: string, options: ListOptions = {}): Paged<CollectionCell, CollectionCoverage> {
    const path = pathOf("/collections", collectionId, "/coverage");
    return paged(options.cursor, {
      async read(cursor) {
        const answer = { data: { features: "list", next_cursor: "cursor" } } as const;
        const call = { method: "GET", path, query: { cursor }, answer, options } as const;
        return (await send<{ data: CollectionCoverage }>(call)).data;
      },
      items: ({ features }) => features,
      next: async ({ next_cursor }) => next_cursor,
    });
  }

  return { create, estimate, get, list, pause, resume, cancel, remove, wait, results, coverage };
}

export type Collections = ReturnType<typeof createCollections>;
