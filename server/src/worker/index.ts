import type { Billing } from "../domains/billing/index.ts";
import { createCollectionQueue } from "../domains/collections/index.ts";
import type { ExportQueue, FileStore } from "../domains/exports/index.ts";
import {
  type ClaimedScrape,
  createScrapeQueue,
  createTestScrapeQueue,
  type ScrapeQueueDeps,
} from "../domains/scrapes/index.ts";
import { createDispatcher, type DispatcherDeps } from "../domains/webhooks/index.ts";
import type { Meters } from "../platform/meters.ts";
import type { ClockCheck } from "../platform/postgres/clock-check.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import type { Tracing } from "../platform/tracing.ts";
import type { Source } from "../sources/source.ts";
import { listLoops } from "./loops.ts";
import { type Runner, startRunner, type WorkQueue } from "./runner.ts";
import { startLoops } from "./scheduler.ts";

type QueueDeps = Omit<ScrapeQueueDeps, "environment" | "atOnceMax"> & {
  notifications: Notifications;
  fixtures: Source;
  exportQueue: ExportQueue;
  billing: Billing;
  atOnceMax?: number;
  tracing?: Tracing;
};

type WorkersDeps = QueueDeps &
  DispatcherDeps & {
    files: FileStore;
    clockCheck: ClockCheck;
    retentionDays: number;
    ledgerMonths: number;
    meters: Meters;
  };

/** How many jobs run at once on a source that does not say. */
const jobsOtherwise = 128;
/** How often a queue is read although nobody notified us. */
const pollMs = 1_000;

/** All background work of this process: jobs, deliveries, and what the loops list. */
export function startWorkers(deps: WorkersDeps): Runner {
  const loops = startLoops({ ...deps, loops: listLoops(deps) });
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

/** The queues of jobs, live and test, of collections and of exports. */
export function startQueues({ notifications, fixtures, exportQueue, ...deps }: QueueDeps): Runner {
  const atOnceMax = ({ jobsMax = jobsOtherwise }: Source) => deps.atOnceMax ?? jobsMax;
  const queues: WorkQueue<ClaimedScrape>[] = [
    createScrapeQueue({ ...deps, environment: "live", atOnceMax }),
    createTestScrapeQueue({ ...deps, fixtures, atOnceMax }),
  ];
  const common = { notifications, log: deps.log, tracing: deps.tracing, pollMs };
  const runners = [
    ...queues.map((queue) => startRunner({ queue, ...common })),
    startRunner({ queue: createCollectionQueue(deps), ...common }),
    startRunner({ queue: exportQueue, ...common }),
  ];
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
