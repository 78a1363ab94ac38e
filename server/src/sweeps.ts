import type { Config } from "./config.ts";
import { sweepScrapes } from "./domains/scrapes/index.ts";
import type { Parts } from "./parts.ts";
import { sweepIdempotency } from "./platform/http/idempotency.ts";

const sweepMs = 600_000;
const releaseLapsedMs = 30_000;

/** Now and then, every process removes what has had its time and gives back what the dead had reserved. */
export function startSweeps({ retentionDays }: Config, { db, billing, clock, log }: Parts) {
  async function sweep() {
    try {
      while ((await sweepIdempotency(db)) > 0);
      while ((await sweepScrapes(db, clock, retentionDays)) > 0);
    } catch (error) {
      log.warn({ error: (error as Error).message }, "service.sweep_failed");
    }
  }

  async function releaseLapsed() {
    try {
      const released = await billing.releaseLapsed();
      if (released > 0) log.info({ reservations: released }, "billing.lapsed_released");
    } catch (error) {
      log.warn({ error: (error as Error).message }, "billing.release_lapsed_failed");
    }
  }

  const timers = [setInterval(() => void sweep(), sweepMs), setInterval(() => void releaseLapsed(), releaseLapsedMs)];
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
