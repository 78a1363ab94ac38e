import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";

export type UsageDay = { day: string; searches: number; jobs: number; other: number };

export type LedgerEntry = {
  kind: "charge" | "reserve" | "release";
  units: number;
  reference: string;
  created_at: string;
};

/** Units by what they paid for and who used them; the ledger knows nobody for entries from before it kept them. */
export type ActorUsage = {
  operation: "search" | "job" | "collection" | "other";
  actor: { kind: "key" | "person"; id: string; name: string; masked: string | null } | null;
  units: number;
};

/** Whether a number of units is one; the service writes the largest integer where there is no ceiling. */
export const hasCeiling = (units: number) => units < Number.MAX_SAFE_INTEGER;

export type Usage = {
  allowance: number;
  used: number;
  remaining: number;
  resets_at: string;
  days: UsageDay[];
  actors: ActorUsage[];
  months: { month: string; used: number }[];
  ledger: LedgerEntry[];
};

export const usageQuery = queryOptions({
  queryKey: ["usage"],
  queryFn: ({ signal }) => read<Usage>("/usage", { signal }),
  refetchInterval: 30_000,
});
