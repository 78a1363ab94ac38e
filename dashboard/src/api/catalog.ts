import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";

export type DataSet = {
  name: string;
  imported_at: string;
  observed_at: string | null;
  places: number;
  closed: number;
  areas: number;
};

export type Catalog = {
  data_sets: DataSet[];
  /** Imports that run now, in any process. */
  imports: {
    name: string;
    phase: "reading" | "storing";
    started_at: string;
    /** Of the phase, where it is known. */
    percent: number | null;
    /** How many records were read, while they are. */
    rows: number | null;
  }[];
  /** South, west, north, east of the places; null when there are none. */
  bounds: [number, number, number, number] | null;
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
  refetchInterval: ({ state }) => ((state.data?.imports.length ?? 0) > 0 ? 3_000 : 30_000),
});
