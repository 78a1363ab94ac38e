import type { Businesses } from "../domains/businesses/index.ts";
import { createCollectionQueue } from "../domains/collections/index.ts";
import { createScrapeQueue, createTestScrapeQueue } from "../domains/scrapes/index.ts";
import { createDeliveryQueue } from "../domains/webhooks/index.ts";
import { isWorkHeld } from "../platform/postgres/held-work.ts";
import type { Source } from "../sources/source.ts";
import { listLoops, startWorkers, type Runner, type WorkQueue } from "../worker/index.ts";
import type { Config } from "./config/config.ts";
import type { Dependencies } from "./dependencies.ts";

type QueueDependencies = Pick<
  Dependencies,
  "db" | "billing" | "enrichment" | "webhooks" | "signals" | "sources" | "fixtures" | "exportQueue" | "log" | "meters"
> & { businesses: Pick<Businesses, "asRequestedByOwners" | "identify"> };

type QueueLimits = { atOnceMax?: number; leaseSeconds?: number };

/** How many jobs run at once on a source that does not say. */
const jobsOtherwise = 128;

/** The queues of jobs, live and test, of collections and of exports. */
export function buildQueues(
  dependencies: QueueDependencies,
  { atOnceMax: fixed, leaseSeconds }: QueueLimits = {},
): WorkQueue[] {
  const { db, billing, businesses, enrichment, webhooks, signals, sources, fixtures } = dependencies;
  const { exportQueue, log, meters } = dependencies;
  const lease = leaseSeconds === undefined ? {} : { leaseSeconds };
  const atOnceMax = ({ jobsMax = jobsOtherwise }: Source) => fixed ?? jobsMax;
  const jobs = { db, webhooks, signals, log, meters, atOnceMax, ...lease };
  return [
    ...[true, false].flatMap((isLocal) => [
      createScrapeQueue({ ...jobs, isLocal, environment: "live", sources, businesses, enrichment }),
      createCollectionQueue({ db, isLocal, sources, businesses, billing, enrichment, webhooks, log, meters, ...lease }),
    ]),
    createTestScrapeQueue({ ...jobs, fixtures }),
    exportQueue,
  ];
}

/** All background work of the roles `worker` and `all`. */
export function startAllWork(config: Config, dependencies: Dependencies): Runner {
  const { db, vault, organizations, billing, files, clock, clockCheck, notifications } = dependencies;
  const { webhookOutbound: outbound, log, meters, tracing } = dependencies;
  const { webhookPorts: ports, retentionDays, ledgerMonths } = config;
  return startWorkers({
    queues: [
      ...buildQueues(dependencies),
      createDeliveryQueue({ db, vault, outbound, ports, notifications, clock, log, meters }),
    ],
    loops: listLoops({ db, billing, files, clock, retentionDays, ledgerMonths, log, meters }),
    clockCheck,
    notifications,
    log,
    meters,
    tracing,
    async readHold() {
      // In this order: a restore makes both at once, and nothing can be restored beside an organization.
      if ((await organizations.list()).length === 0) return "empty";
      return (await isWorkHeld(db)) ? "restored" : undefined;
    },
  });
}
