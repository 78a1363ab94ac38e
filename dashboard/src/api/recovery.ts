import type { Query, QueryClient } from "@tanstack/react-query";
import { read } from "./client.ts";
import { isOutage } from "./problem.ts";

const probeMs = 2_000;

/**
 * Reads again what failed while the service or the network was away, as soon as there is an answer. The session is asked
 * first: a failed query that is read again shows as loading, and a page would flicker through the whole outage.
 */
export function recoverFromOutages(queryClient: QueryClient): void {
  async function recover() {
    if (queryClient.getQueryCache().getAll().some(hasFailed)) {
      const isBack = await read("/session").then(
        () => true,
        (error) => !isOutage(error), // whoever is signed out has been answered too
      );
      if (isBack) await queryClient.refetchQueries({ predicate: hasFailed });
    }
    setTimeout(() => void recover(), probeMs);
  }

  void recover();
}

function hasFailed(query: Query): boolean {
  return query.isActive() && query.state.status === "error" && isOutage(query.state.error);
}
