import type { Billing } from "../domains/billing/index.ts";
import {
  type ClaimedScrape,
  createScrapeQueue,
  createTestScrapeQueue,
  type ScrapeQueueDeps,
} from "../domains/scrapes/index.ts";
import { createDispatcher, type DispatcherDeps } from "../domains/webhooks/index.ts";
import type { ClockCheck } from "../platform/postgres/clock-check.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import type { Source } from "../sources/source.ts";
import { listLoops } from "./loops.ts";
import { type Runner, startRunner, type WorkQueue } from "./runner.ts";
import { startLoops } from "./scheduler.ts";

type QueueDeps = Omit<ScrapeQueueDeps, "environment" | "atOnceMax"> & {
  notifications: Notifications;
  fixtures: Source;
  atOnceMax?: number;
};

type WorkersDeps = QueueDeps & DispatcherDeps & { billing: Billing; clockCheck: ClockCheck; retentionDays: number };

/** How many jobs run at once on a source that does not say. */
const jobsOtherwise = 128;
/** How often a queue is read although nobody notified us. */
const pollMs = 1_000;

/** All background work of this process: jobs, deliveries, and what the loops list. */
export function startWorkers(deps: WorkersDeps): Runner {
  const loops = startLoops({ loops: listLoops(deps), clockCheck: deps.clockCheck, log: deps.log });
  const dispatcher = createDispatcher(deps);
  dispatcher.start();
  const queues = startQueues(deps);
  return {
    async stop() {
      await queues.stop();
      await dispatcher.stop();
      await loops.stop();
    },
  };
}

/** The queues of jobs, live and test. */
export function startQueues({ notifications, fixtures, ...deps }: QueueDeps): Runner {
  const atOnceMax = ({ jobsMax = jobsOtherwise }: Source) => deps.atOnceMax ?? jobsMax;
  const queues: WorkQueue<ClaimedScrape>[] = [
    createScrapeQueue({ ...deps, environment: "live", atOnceMax }),
    createTestScrapeQueue({ ...deps, fixtures, atOnceMax }),
  ];
  const runners = queues.map((queue) => startRunner({ queue, notifications, log: deps.log, pollMs }));
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
