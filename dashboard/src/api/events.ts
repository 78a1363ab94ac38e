import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";
import type { Environment } from "./environment.tsx";

export type StoredEvent = {
  id: string;
  type: string;
  sequence: number;
  has_delivery: boolean;
  result_count: number | null;
  created_at: string;
};

/** The events of a job or collection. Those of the test environment are not recorded. */
export const eventsQuery = (environment: Environment, resourceId: string) =>
  queryOptions({
    queryKey: ["events", environment, resourceId],
    queryFn: ({ signal }) => read<StoredEvent[]>(`/events/${resourceId}`, { signal }),
    enabled: environment === "live",
  });
