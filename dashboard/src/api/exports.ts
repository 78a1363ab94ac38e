import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Export } from "@waypost/sdk";
import { call, create, read } from "./client.ts";
import type { Environment } from "./environment.tsx";
import { pollMs } from "./live-events.ts";

export type { Export } from "@waypost/sdk";

export const exportFormats = ["csv", "xlsx", "json", "ndjson", "geojson", "parquet"] as const;

const openStatuses = new Set(["queued", "running"]);

export const exportsQuery = (environment: Environment) =>
  infiniteQueryOptions({
    queryKey: ["exports", environment],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "50", ...(pageParam && { cursor: pageParam }) });
      return call<Export[]>(`/${environment}/exports?${query}`, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => openStatuses.has(status))) === true
        ? pollMs(environment, 1_000)
        : 15_000,
  });

/** What an export is made of. */
export type Exported = { job_id: string } | { collection_id: string };

export const createExport = async (environment: Environment, body: Exported & { format: string }) =>
  (await create<Export>(`/${environment}/exports`, body)).data;

/** Reads an export for its download link, which is good for 15 minutes. */
export const readExport = (environment: Environment, exportId: string) =>
  read<Export>(`/${environment}/exports/${exportId}`);
