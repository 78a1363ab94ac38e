import { setTimeout as sleep } from "node:timers/promises";
import type { HttpServer } from "./server.ts";

/**
 * The time between the wish to stop and the closing of the port. Requests are answered as ever, each
 * with `Connection: close`, while readiness says no: balancers turn away before anything is refused.
 */
export type Drain = {
  isDraining(): boolean;
  /** Marks responses of a server that has not been started yet. */
  watch(app: HttpServer): void;
  begin(seconds: number): Promise<void>;
};

export function createDrain(): Drain {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    watch(app) {
      app.server.prependListener("request", (_request, response) => {
        if (isDraining) response.setHeader("Connection", "close");
      });
    },
    async begin(seconds) {
      isDraining = true;
      await sleep(seconds * 1_000);
    },
  };
}
