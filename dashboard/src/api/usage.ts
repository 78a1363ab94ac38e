import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";

export type UsageDay = { day: string; searches: number; jobs: number; other: number };

export type LedgerEntry = {
  kind: "charge" | "reserve" | "release";
  units: number;
  reference: string;
  created_at: string;
};

export type Usage = {
  allowance: number;
  used: number;
  remaining: number;
  resets_at: string;
  days: UsageDay[];
  months: { month: string; used: number }[];
  ledger: LedgerEntry[];
};

export const usageQuery = queryOptions({
  queryKey: ["usage"],
  queryFn: ({ signal }) => read<Usage>("/usage", { signal }),
  refetchInterval: 30_000,
});
