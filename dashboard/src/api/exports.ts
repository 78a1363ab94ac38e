import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Export } from "@waypost/sdk";
import { call, create, read, requireFile } from "./client.ts";
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

export const deleteExport = (environment: Environment, exportId: string) =>
  read(`/${environment}/exports/${exportId}`, { method: "DELETE" });

/** A link to the file of an export, which is good for 15 minutes; undefined when the file is no longer kept. */
export async function readDownloadLink(environment: Environment, exportId: string): Promise<string | undefined> {
  const { download_url: url } = await read<Export>(`/${environment}/exports/${exportId}`);
  if (!url) return undefined;
  // The path alone: behind a proxy the service may know itself by another name than this page.
  const path = new URL(url).pathname + new URL(url).search;
  await requireFile(path);
  return path;
}
