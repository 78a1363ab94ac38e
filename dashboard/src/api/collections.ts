import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  Business,
  Collection,
  CollectionCell,
  CollectionCoverage,
  CollectionEstimate,
  CollectionResultsPage,
  CreateCollection,
} from "@waypost/sdk";
import { call, create, read } from "./client.ts";
import type { Environment } from "./environment.tsx";

export type { Collection, CollectionCell } from "@waypost/sdk";

export type CellState = CollectionCell["properties"]["state"];
export type CollectionRequest = CreateCollection;
export type Area = CreateCollection["area"];

/** What collecting would take, with boxes of south, west, north and east. */
export type Estimate = Omit<CollectionEstimate, "bounds"> & { bounds: [number, number, number, number][] };

const openStatuses = new Set<Collection["status"]>(["queued", "running"]);
const liveMs = 2_000;
/** A map with more cells than these says no more to the eye. */
const coveragePagesMax = 10;
const mapPagesMax = 10;

export function isOpen({ status }: Collection): boolean {
  return openStatuses.has(status);
}

export function hasEnded(collection: Collection): boolean {
  return !isOpen(collection) && collection.status !== "paused";
}

export const collectionsQuery = (environment: Environment) =>
  infiniteQueryOptions({
    queryKey: ["collections", environment],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "25", ...(pageParam && { cursor: pageParam }) });
      return call<Collection[]>(`/${environment}/collections?${query}`, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOpen)) === true ? liveMs : 30_000,
  });

export const collectionQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ["collection", environment, id],
    queryFn: ({ signal }) => read<Collection>(`/${environment}/collections/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.status !== "error" && state.data && isOpen(state.data) ? liveMs : false),
  });

/** The cells, read again while the collection runs and once more when its state has changed. */
export const coverageQuery = (environment: Environment, collection: Collection) =>
  queryOptions({
    queryKey: ["coverage", environment, collection.id, collection.status],
    async queryFn({ signal }) {
      const cells: CollectionCell[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < coveragePagesMax; page += 1) {
        const query: string = cursor === null ? "" : `?${new URLSearchParams({ cursor })}`;
        const path = `/${environment}/collections/${collection.id}/coverage${query}`;
        const found: CollectionCoverage = await read(path, { signal });
        cells.push(...found.features);
        cursor = found.next_cursor;
        if (cursor === null) break;
      }
      return { cells, isWhole: cursor === null };
    },
    placeholderData: (previous) => previous,
    refetchInterval: isOpen(collection) ? liveMs : false,
  });

export const collectionResultsQuery = (environment: Environment, { id, status }: Collection) =>
  infiniteQueryOptions({
    queryKey: ["collection-results", environment, id, status],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "100", ...(pageParam && { cursor: pageParam }) });
      return read<CollectionResultsPage>(`/${environment}/collections/${id}/results?${query}`, { signal });
    },
    // While it runs the last page has a cursor too, for what comes later.
    getNextPageParam: ({ next_cursor: cursor, records }) => (records.length < 100 ? null : cursor),
  });

/** The first thousand for the map, where more would not be told apart. */
export const mapResultsQuery = (environment: Environment, { id, status, progress }: Collection) =>
  queryOptions({
    queryKey: ["collection-results", environment, id, status, "map", progress.businesses],
    async queryFn({ signal }) {
      const records: Business[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < mapPagesMax; page += 1) {
        const query = new URLSearchParams({ limit: "100", ...(cursor && { cursor }) });
        const found: CollectionResultsPage = await read(`/${environment}/collections/${id}/results?${query}`, {
          signal,
        });
        records.push(...found.records);
        cursor = found.next_cursor;
        if (cursor === null || found.records.length === 0) break;
      }
      return records;
    },
    placeholderData: (previous) => previous,
  });

export const estimateQuery = (environment: Environment, request: Pick<CollectionRequest, "q" | "area" | "hl" | "gl">) =>
  queryOptions({
    queryKey: ["estimate", environment, request],
    queryFn: ({ signal }) => read<Estimate>(`/${environment}/collections/estimate`, { body: request, signal }),
    staleTime: 60_000,
    retry: false,
  });

export const createCollection = async (environment: Environment, body: CollectionRequest) =>
  (await create<Collection>(`/${environment}/collections`, body)).data;

export const controlCollection = (environment: Environment, id: string, verb: "pause" | "resume" | "cancel") =>
  read<Collection>(`/${environment}/collections/${id}/${verb}`, { method: "POST" });

export const deleteCollection = (environment: Environment, id: string) =>
  read(`/${environment}/collections/${id}`, { method: "DELETE" });

/** An area in a few words. */
export function areaName({ place, bbox, circle }: Collection["area"]): string {
  if (place !== undefined) return place;
  if (bbox) return "a box on the map";
  return circle ? `${(circle.radius_m / 1_000).toLocaleString()} km around a point` : "a shape on the map";
}
