import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";

export type DataSet = { name: string; imported_at: string; places: number; closed: number; areas: number };

export type Catalog = {
  data_sets: DataSet[];
  source: {
    name: string;
    covers: string | null;
    is_local: boolean;
    status: "ready" | "paused";
    retry_after_seconds: number | null;
  } | null;
};

export const catalogQuery = queryOptions({
  queryKey: ["catalog"],
  queryFn: ({ signal }) => read<Catalog>("/catalog", { signal }),
  refetchInterval: 30_000,
});
