import { simulatedBusiness } from "../domains/businesses/index.ts";
import { type ClaimedScrape, createScrapeQueue, type ScrapeQueueDeps } from "../domains/scrapes/index.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import type { Source } from "../sources/source.ts";
import { type Runner, startRunner, type WorkQueue } from "./runner.ts";

type WorkerDeps = Omit<ScrapeQueueDeps, "environment" | "atOnceMax"> & {
  notifications: Notifications;
  fixtures: Source;
  atOnceMax?: number;
};

/** How many jobs run at once on a source that does not say. */
const jobsOtherwise = 128;

/** What this process works on besides answering requests. */
export function startWorker({ notifications, fixtures, ...deps }: WorkerDeps): Runner {
  const { log, enrichment: _, ...parts } = deps;
  const atOnceMax = ({ jobsMax = jobsOtherwise }: Source) => deps.atOnceMax ?? jobsMax;
  const queues: WorkQueue<ClaimedScrape>[] = [
    createScrapeQueue({ ...deps, environment: "live", atOnceMax }),
    createScrapeQueue({
      ...parts,
      log,
      environment: "test",
      sources: { pick: async () => fixtures },
      businesses: { identify: async (_tx, _source, listings) => listings.map(simulatedBusiness) },
      atOnceMax,
    }),
  ];
  const runners = queues.map((queue) => startRunner({ queue, notifications, log }));
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
