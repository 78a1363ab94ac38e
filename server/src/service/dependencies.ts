import type { Config } from "./config/config.ts";
import { createBilling, createTestQuota } from "../domains/billing/index.ts";
import { createBusinesses } from "../domains/businesses/index.ts";
import { collectionRows } from "../domains/collections/index.ts";
import { createEnrichment, createPageReader, type WebsiteReader } from "../domains/enrichment/index.ts";
import { createExportQueue, type FileStore } from "../domains/exports/index.ts";
import { createSignals, scrapeRows } from "../domains/scrapes/index.ts";
import { createWebhooks } from "../domains/webhooks/index.ts";
import { declareGauges } from "./metrics.ts";
import type { Outbounds } from "./outbounds.ts";
import type { Installation } from "../operator/installation.ts";
import { type Clock, elapsedMs, systemClock } from "../platform/clock.ts";
import { createMeters } from "../platform/meters.ts";
import { readDisk } from "../platform/disk.ts";
import type { Log } from "../platform/log.ts";
import { createClockCheck } from "../platform/postgres/clock-check.ts";
import { noTracing, type Tracing } from "../platform/tracing.ts";
import type { Connection } from "../platform/postgres/database.ts";
import type { Reads } from "../platform/postgres/replica-reads.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import { createFirstSetUp } from "./readiness/first-set-up.ts";
import { createFixtures } from "../sources/fixtures/index.ts";
import { createSources } from "../sources/registry.ts";
import { createSourceSelection, type SourceSelection } from "../sources/selection.ts";
import type { Source } from "../sources/source.ts";
import { version } from "../platform/version.ts";
import { createWarming } from "./readiness/source-loading.ts";

/** The outside world, where a test brings its own: time, sources, other people's websites, the disk. */
export type Replaced = {
  clock?: Clock;
  sources?: SourceSelection;
  fixtures?: Source;
  /** Present and undefined: no website is visited. */
  enrichment?: WebsiteReader | undefined;
  readDisk?: typeof readDisk;
};

type PartsDeps = {
  config: Config;
  connection: Connection;
  installation: Installation;
  /** Where sources read: a replica, or the installation's own database. */
  reads: Reads;
  files: FileStore;
  notifications: Notifications;
  outbounds: Omit<Outbounds, "imports">;
  log: Log;
  tracing?: Tracing | undefined;
  replaced: Replaced;
};

/** The parts that answering and working share, whatever the role of the process. */
export async function createParts(deps: PartsDeps) {
  const { config, connection, installation, reads, files, notifications, outbounds, log, replaced } = deps;
  const { db } = installation;
  const { clock = systemClock } = replaced;
  const meters = createMeters();
  const { dataFolder, sourceSettings } = config;
  const sourceDeps = { db, reads, outbound: outbounds.sources, clock, log, ...meters, dataFolder };
  const clockCheck = createClockCheck({ db, clock });
  const readFreeSpace = () => (replaced.readDisk ?? readDisk)(dataFolder);
  const { role } = config;
  declareGauges({ meters, db, clockCheck, readDisk: readFreeSpace, process: { version, role } });
  const warming = createWarming({ log });
  const sources = warming.follow(
    replaced.sources ??
      createSourceSelection({
        choice: config.source,
        sources: await createSources(sourceDeps, sourceSettings),
        clock,
        meters,
      }),
  );
  const webhooks = createWebhooks({ clock });
  const pageReader = createPageReader();
  const rows = { jobs: scrapeRows, collections: collectionRows };
  return {
    ...installation,
    clock,
    notifications,
    /** For webhooks; what else calls out has got its own. */
    outbound: outbounds.webhooks,
    oidcOutbound: outbounds.oidc,
    meters,
    log,
    tracing: deps.tracing ?? noTracing,
    billing: createBilling({ db, clock, defaultAllowance: config.defaultAllowance }),
    testQuota: createTestQuota({ clock, perDay: config.testQuotaPerDay }),
    businesses: createBusinesses({ db }),
    clockCheck,
    /** Monotonic, unless a test moves the clock. */
    elapsedMs: () => elapsedMs(clock),
    pageReader,
    enrichment:
      "enrichment" in replaced
        ? replaced.enrichment
        : createEnrichment({ outbound: outbounds.enrichment, reader: pageReader, clock, visitsMax: config.crawlsMax }),
    fixtures: replaced.fixtures ?? createFixtures(),
    signals: createSignals({ db, log }),
    sources,
    webhooks,
    rows,
    files,
    warming,
    firstSetUp: createFirstSetUp(),
    readDisk: readFreeSpace,
    exportQueue: createExportQueue({ db, connection, rows, files, webhooks, clock, log, meters }),
  };
}

export type Parts = Awaited<ReturnType<typeof createParts>>;
