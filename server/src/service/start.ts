import { isIPv6 } from "node:net";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createHealthServer } from "../api/app.ts";
import { createMetrics } from "../api/metrics.ts";
import { buildApi, connectionLimitsOf, healthOf } from "./build-api.ts";
import type { Config } from "./config/config.ts";
import { isDashboardBuilt } from "../console/index.ts";
import { openFileStore } from "../domains/exports/index.ts";
import { s3SettingsOf } from "./config/exports.ts";
import { type FirstKeys, hasNoOrganization, openInstallation, setUpOnce } from "../operator/installation.ts";
import { dropOlderIndex, fillStoredPlaces } from "../data-sets/7-index/fill-places.ts";
import { openOutbounds } from "./outbounds.ts";
import { createDrain, type Drain } from "../platform/http/drain.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Log } from "../platform/log.ts";
import { requireOpenFiles } from "../platform/open-files.ts";
import { type Connection, createDatabase, type Database } from "../platform/postgres/database.ts";
import { startEmbedded } from "../platform/postgres/embedded/index.ts";
import { listenForNotifications } from "../platform/postgres/notifications.ts";
import { retryOutages, waitUntilReachable } from "../platform/postgres/reachable.ts";
import { openTracing } from "../platform/tracing.ts";
import { createReplicaReads, type Reads, replicaStallLimits } from "../platform/postgres/replica-reads.ts";
import { formatProcessName } from "../platform/process-name.ts";
import { explainStartFailure } from "../operator/start-failure.ts";
import { version } from "../platform/version.ts";
import { startAllWork } from "./build-workers.ts";
import { createDependencies, type Dependencies, type Replaced } from "./dependencies.ts";
import { startSample } from "./sample.ts";
import type { Source } from "../sources/source.ts";

export type Service = {
  address: string;
  /** Only at the first start. */
  firstKeys: FirstKeys | undefined;
  adoptedPostgres: boolean;
  /** The source that answers live keys now; undefined without one. */
  liveSource: Source | undefined;
  /** Whether there are pages under `/console/`. */
  hasDashboard: boolean;
  /** Whether the catalog is the country that comes along, or will be in a moment. */
  hasSample: boolean;
  /** Drains for that long, then stops in order. */
  stop(options?: { drainSeconds?: number }): Promise<void>;
};

/** Steps that stop what was started, run in reverse order. */
type Shutdown = (() => Promise<void> | void)[];

const closeIdleMs = 50;
/** How long answers in progress may take. The steps after them need the rest of a stop's time. */
const closeDeadlineMs = 10_000;
const loadAheadAfterMs = 10_000;
const dashboardFolder = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

/** Builds what the role needs and starts it; stop() takes it down in the opposite order. */
export async function startService(
  config: Config,
  log: Log,
  replaced: Replaced = {},
  signal = new AbortController().signal,
): Promise<Service> {
  const shutdown: Shutdown = [];
  const drain = createDrain();
  const stop = async ({ drainSeconds = 0 } = {}) => {
    await drain.begin(drainSeconds);
    for (const step of shutdown.reverse()) await step();
  };
  try {
    requireOpenFiles();
    const { connection: reached, adopted } = await reachPostgres(config, log, shutdown, signal);
    const connection = { ...reached, applicationName: applicationNameOf(config) };
    const onOutage = (error: unknown) => log.warn({ error: explainStartFailure(error, config) }, "postgres.waiting");
    const patient = { seconds: config.databaseWaitSeconds, signal, onOutage };
    const openOnce = () => openInstallation(config, connection, log, replaced, signal);
    const installation = await retryOutages(openOnce, patient);
    shutdown.push(() => installation.db.end());
    const following = installation.clockCheck.follow();
    shutdown.push(() => following.stop());

    const notifications = listenForNotifications(connection, log);
    shutdown.push(() => notifications.stop());
    const outbounds = openOutbounds(config.outboundAllow);
    shutdown.push(() => outbounds.close());
    const files = await openFileStore(config.dataFolder, s3SettingsOf(config));
    const tracing = await openTracing();
    const reads = openReads(config, installation.db, log, shutdown);
    const dependencies = await createDependencies({
      config,
      connection,
      installation,
      reads,
      files,
      notifications,
      outbounds,
      log,
      tracing,
      replaced,
    });
    shutdown.push(() => dependencies.pageReader.close());
    shutdown.push(() => dependencies.machineIndex?.stop());
    shutdown.push(startFilling(installation.db, connection, log));

    const { aheadMs, isTrusted } = await retryOutages(() => installation.clockCheck.read(), patient);
    if (!isTrusted) log.error({ ahead_seconds: aheadMs / 1_000 }, "service.clock_differs");

    const liveSource = await retryOutages(() => dependencies.sources.pick(), patient);
    dependencies.sourceLoading.start(liveSource);
    shutdown.push(() => dependencies.sourceLoading.stop());
    // A worker shows no keys; whichever API process comes first makes them.
    const isFirstStart =
      config.role !== "worker" && (await retryOutages(() => hasNoOrganization(installation), patient));
    if (isFirstStart) dependencies.firstSetUp.begin();
    const address = await (config.role === "worker" ? startHealthServer : startApi)(
      config,
      dependencies,
      shutdown,
      drain,
    );
    if (config.role !== "api") startWorkers(config, dependencies, shutdown);
    // Last: the keys are shown once, so nothing may fail between here and their display.
    const firstKeys = isFirstStart ? await setUpOnce(config, installation) : undefined;
    dependencies.firstSetUp.end();
    const hasDashboard = config.role !== "worker" && isDashboardBuilt(dashboardFolder);
    const { db, clock } = installation;
    const sample = await startSample({ config, db, connection, clock, outbound: outbounds.imports, log });
    shutdown.push(sample.stop);
    return { address, firstKeys, adoptedPostgres: adopted, liveSource, hasDashboard, hasSample: sample.isThere, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Lists the places that an older version has stored, beside everything else; resolves to what stops it. */
function startFilling(db: Database, connection: Connection, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const filling = fillStoredPlaces(db, connection, stopping.signal)
    .then((isDone) => (isDone ? log.info({}, "catalog.places_listed") : dropOlderIndex(db)))
    .catch((error: unknown) => stopping.signal.aborted || log.warn({ err: error }, "catalog.places_not_listed"));
  return async () => {
    stopping.abort(new Error("The service stops."));
    await filling;
  };
}

/** How `waypost status` finds this process among the sessions of the database. */
function applicationNameOf({ role, port }: Config): string {
  return formatProcessName({
    version,
    role,
    pid: process.pid,
    host: hostname(),
    port: port === 0 ? undefined : port,
  });
}

async function reachPostgres(
  config: Config,
  log: Log,
  shutdown: Shutdown,
  signal: AbortSignal,
): Promise<{ connection: Connection; adopted: boolean }> {
  if (config.databaseUrl) {
    const connection = { url: config.databaseUrl };
    await waitUntilReachable(connection, { seconds: config.databaseWaitSeconds, log, signal });
    return { connection, adopted: false };
  }
  const postgres = await startEmbedded({ dataFolder: config.dataFolder, log, signal });
  shutdown.push(() => postgres.stop());
  return postgres;
}

/** The replica of the configuration with the primary behind it, or the primary alone. */
function openReads(config: Config, primary: Database, log: Log, shutdown: Shutdown): Reads {
  const { databaseReadUrl: url, databaseConnectionsMax: connectionsMax } = config;
  if (url === undefined) return primary;
  const connection = { url, applicationName: applicationNameOf(config) };
  const replica = createDatabase({ connection, connectionsMax, log, stallLimits: replicaStallLimits });
  shutdown.push(() => replica.end());
  return createReplicaReads({ replica, primary, log });
}

/** The roles `api` and `all`: the whole of the HTTP interface. */
async function startApi(config: Config, dependencies: Dependencies, shutdown: Shutdown, drain: Drain): Promise<string> {
  const { app, verifier, watch } = await buildApi({ config, dependencies, drain, dashboardFolder });
  shutdown.push(() => verifier.stop());
  const address = await open(app, config, shutdown, drain);
  const stopping = new AbortController();
  shutdown.push(() => stopping.abort());
  void loadAhead(app.lateLoads, dependencies.log, stopping.signal);
  // The first to stop: callers who wait for jobs would otherwise hold up the server's end.
  shutdown.push(() => watch.stop());
  return address;
}

/**
 * Loads modules that would block their first caller, and everyone beside it, for a tenth of a second each. It begins
 * after the first callers of a start; a process that lives for seconds never loads them.
 */
async function loadAhead(loads: HttpServer["lateLoads"], log: Log, signal: AbortSignal): Promise<void> {
  await sleep(loadAheadAfterMs, undefined, { ref: false, signal }).catch(() => undefined);
  for (const load of loads) {
    if (signal.aborted) return;
    await load().catch((error: unknown) => log.warn({ err: error }, "service.load_failed"));
  }
}

/** The role `worker`: health and metrics only. */
async function startHealthServer(
  config: Config,
  dependencies: Dependencies,
  shutdown: Shutdown,
  drain: Drain,
): Promise<string> {
  const { trustedProxies } = config;
  const connectionLimits = connectionLimitsOf(config, dependencies);
  const deps = {
    health: healthOf(dependencies, drain),
    metrics: createMetrics(dependencies.meters),
    log: dependencies.log,
  };
  const app = createHealthServer({ ...deps, trustedProxies, connectionLimits });
  return open(app, config, shutdown, drain);
}

/** The roles `worker` and `all`. */
function startWorkers(config: Config, dependencies: Dependencies, shutdown: Shutdown) {
  const workers = startAllWork(config, dependencies);
  shutdown.push(() => workers.stop());
}

async function open(app: HttpServer, { host, port }: Config, shutdown: Shutdown, drain: Drain): Promise<string> {
  drain.watch(app);
  await app.listen({ host, port });
  shutdown.push(async () => {
    // Closing ends the connections that are idle at that moment; those that become idle when their
    // answer has been sent would keep the server up for as long as their clients like.
    const closing = setInterval(() => app.server.closeIdleConnections(), closeIdleMs);
    // A client that sends half of a request, or reads slowly, would otherwise keep PostgreSQL running.
    const deadline = setTimeout(() => app.server.closeAllConnections(), closeDeadlineMs);
    await app.close();
    clearInterval(closing);
    clearTimeout(deadline);
  });
  const bound = app.server.address();
  const shownHost = isIPv6(host) ? `[${host}]` : host;
  return `http://${shownHost}:${typeof bound === "object" && bound ? bound.port : port}`;
}
