import { setTimeout as delay } from "node:timers/promises";
import type { ServerContext } from "@modelcontextprotocol/server";

const everyMs = 1_000;
/** Each report repeats the token; one of a megabyte would come back 25 times. Clients send numbers and UUIDs. */
const tokenLengthMax = 256;

type ProgressToken = string | number | undefined;

/** Sends the seconds that have passed, once a second until the signal, to a client that gave a token of usual length. */
export function reportWaiting(
  notify: ServerContext["mcpReq"]["notify"],
  progressToken: ProgressToken,
  totalSeconds: number,
  signal: AbortSignal,
): void {
  if (progressToken === undefined || String(progressToken).length > tokenLengthMax) return;
  void report();

  async function report() {
    for (let seconds = 0; seconds < totalSeconds; seconds += 1) {
      const params = { progressToken, progress: seconds, total: totalSeconds, message: "Waiting for the job to end." };
      // A client that has gone misses nothing; its call ends by its own signal.
      await notify({ method: "notifications/progress", params }).catch(() => undefined);
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}
