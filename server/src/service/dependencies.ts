import type { Config } from "./config/config.ts";
import { catalogChannel } from "../data-sets/7-index/switch-places.ts";
import { createBilling, createTestQuota } from "../domains/billing/index.ts";
import { createBusinesses } from "../domains/businesses/index.ts";
import { collectionRows } from "../domains/collections/index.ts";
import { createEnrichment, createPageReader, type WebsiteReader } from "../domains/enrichment/index.ts";
import { createExportQueue, type FileStore } from "../domains/exports/index.ts";
import { createSignals, scrapeRows } from "../domains/scrapes/index.ts";
import { createWebhooks } from "../domains/webhooks/index.ts";
import { declareGauges, declarePlaceIndex } from "./metrics.ts";
import type { Outbounds } from "./outbounds.ts";
import { readDisks } from "../operator/disks.ts";
import type { Installation, ReplacedClocks } from "../operator/installation.ts";
import { elapsedMs } from "../platform/clock.ts";
import { indexPathOf, type MachineIndex, openMachineIndex } from "../place-index/file/index.ts";
import type { PlaceIndex } from "../place-index/port.ts";
import { noPlaceIndex, placeIndexOf } from "../place-index/reader.ts";
import { createMeters } from "../platform/meters.ts";
import type { readDisk } from "../platform/disk.ts";
import type { Log } from "../platform/log.ts";
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
import { createSourceLoading } from "./readiness/source-loading.ts";

/** The outside world, where a test brings its own: time, sources, other people's websites, the disk. */
export type Replaced = ReplacedClocks & {
  sources?: SourceSelection;
  fixtures?: Source;
  /** Present and undefined: no website is visited. */
  enrichment?: WebsiteReader | undefined;
  readDisk?: typeof readDisk;
  /** What finds places, in place of the index of this machine. */
  placeIndex?: PlaceIndex;
};

type Given = {
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

/**
 * What the API and the workers share, whatever the role of the process. Each of them names what it takes: see
 * build-api.ts and build-workers.ts.
 */
export async function createDependencies(given: Given) {
  const { config, connection, installation, reads, files, notifications, outbounds, log, replaced } = given;
  const { db, clock, clockCheck, migrations, pepper, vault, organizations, apiKeys } = installation;
  const { fixtures = createFixtures() } = replaced;
  const { dataFolder, role } = config;
  const meters = createMeters();
  const readFreeSpace = () => readDisks(dataFolder, replaced.readDisk);
  declareGauges({ meters, db, clockCheck, readDisks: readFreeSpace, process: { version, role } });
  const sourceLoading = createSourceLoading({ log });
  const machineIndex = replaced.placeIndex ? undefined : await openPlaceIndex();
  const placeIndex = machineIndex ? placeIndexOf(machineIndex.ask) : (replaced.placeIndex ?? noPlaceIndex);
  const sources = sourceLoading.follow(replaced.sources ?? (await selectSource()));
  const webhooks = createWebhooks({ clock });
  const pageReader = createPageReader();
  const rows = { jobs: scrapeRows, collections: collectionRows };
  return {
    db,
    migrations,
    pepper,
    vault,
    organizations,
    apiKeys,
    clock,
    /** Monotonic, unless a test moves the clock. */
    elapsedMs: () => elapsedMs(clock),
    clockCheck,
    notifications,
    meters,
    log,
    tracing: given.tracing ?? noTracing,
    readDisks: readFreeSpace,
    firstSetUp: createFirstSetUp(),
    sourceLoading,
    /** Starts threads, which whoever got these dependencies stops; absent where a test brings an index. */
    machineIndex,
    placeIndex,
    sources,
    fixtures,
    pageReader,
    enrichment:
      "enrichment" in replaced
        ? replaced.enrichment
        : createEnrichment({ outbound: outbounds.enrichment, reader: pageReader, clock, visitsMax: config.crawlsMax }),
    billing: createBilling({ db, clock, defaultAllowance: config.defaultAllowance }),
    testQuota: createTestQuota({ clock, perDay: config.testQuotaPerDay }),
    businesses: createBusinesses({ db }),
    webhooks,
    webhookOutbound: outbounds.webhooks,
    oidcOutbound: outbounds.oidc,
    signals: createSignals({ db, log }),
    rows,
    files,
    exportQueue: createExportQueue({ db, connection, rows, files, webhooks, clock, log, meters }),
  };

  async function openPlaceIndex(): Promise<MachineIndex> {
    const index = await openMachineIndex({ path: indexPathOf(config), db, connection, log });
    notifications.on(catalogChannel, index.wake);
    declarePlaceIndex(meters, index.status);
    return index;
  }

  async function selectSource(): Promise<SourceSelection> {
    const deps = { db, reads, placeIndex, outbound: outbounds.sources, clock, log, ...meters, dataFolder };
    const all = await createSources(deps, config.sourceSettings);
    return createSourceSelection({ choice: config.source, sources: all, clock, meters });
  }
}

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;
