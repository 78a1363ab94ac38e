import { isIPv6 } from "node:net";
import { fileURLToPath } from "node:url";
import { createApi, createHealthServer } from "./api/app.ts";
import type { Health } from "./api/health.ts";
import { createMetrics } from "./api/metrics.ts";
import { createRateLimit } from "./api/rate-limit.ts";
import type { Config } from "./config.ts";
import { createConsole } from "./console/index.ts";
import { createKeyVerifier } from "./domains/api-keys/index.ts";
import { createDownloads, createExports, createLinks, openFileStore, s3SettingsOf } from "./domains/exports/index.ts";
import { createMembers } from "./domains/members/index.ts";
import { createFinishWatch, createScrapes } from "./domains/scrapes/index.ts";
import { createSearch } from "./domains/search/index.ts";
import { createDeliveries, createEndpoints, createEventStreams } from "./domains/webhooks/index.ts";
import { type FirstKeys, openInstallation, setUpOnce } from "./installation.ts";
import { createCursors } from "./platform/http/cursors.ts";
import { createDrain, type Drain } from "./platform/http/drain.ts";
import type { HttpServer } from "./platform/http/server.ts";
import type { Log } from "./platform/log.ts";
import { createOutbound } from "./platform/net/outbound.ts";
import type { Connection } from "./platform/postgres/database.ts";
import { startEmbedded } from "./platform/postgres/embedded/index.ts";
import { isMigrated } from "./platform/postgres/migrate.ts";
import { listenForNotifications } from "./platform/postgres/notifications.ts";
import { waitUntilReachable } from "./platform/postgres/reachable.ts";
import { createParts, type Parts, type Replaced } from "./parts.ts";
import type { Source } from "./sources/source.ts";
import { startWorkers as startAllWorkers } from "./worker/index.ts";

export type Service = {
  address: string;
  /** Only at the very first start, and nowhere else ever again. */
  firstKeys: FirstKeys | undefined;
  adoptedPostgres: boolean;
  /** The source that answers live keys as things stand; undefined when there is none. */
  liveSource: Source | undefined;
  /** Drains for that long, then stops in order. */
  stop(options?: { drainSeconds?: number }): Promise<void>;
};

/** Steps that stop what was started, run in reverse order. */
type Shutdown = (() => Promise<void> | void)[];

const closeIdleMs = 50;
const dashboardFolder = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

/** Builds the parts and starts them; stop() takes them down in the opposite order. */
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
    const { connection, adopted } = await reachPostgres(config, log, shutdown, signal);
    const installation = await openInstallation(config, connection, log);
    shutdown.push(() => installation.db.end());

    const notifications = listenForNotifications(connection, log);
    shutdown.push(() => notifications.stop());
    const outbound = createOutbound({ allow: config.outboundAllow });
    shutdown.push(() => outbound.close());
    const files = await openFileStore(config.dataFolder, s3SettingsOf(config));
    const parts = createParts({ config, connection, installation, files, notifications, outbound, log, replaced });

    const { aheadMs, isTrusted } = await parts.clockCheck.read();
    if (!isTrusted) log.error({ ahead_seconds: aheadMs / 1_000 }, "service.clock_differs");

    const address = await (config.role === "worker" ? startHealthServer : startApi)(config, parts, shutdown, drain);
    if (config.role !== "api") startWorkers(config, parts, shutdown);
    const liveSource = await parts.sources.pick();
    liveSource?.warm?.();
    // Last: keys that nobody gets to see would be lost, so nothing may fail between here and their showing.
    const firstKeys = await setUpOnce(config, installation);
    return { address, firstKeys, adoptedPostgres: adopted, liveSource, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
  const postgres = await startEmbedded({ dataFolder: config.dataFolder, log });
  shutdown.push(() => postgres.stop());
  return postgres;
}

/** The roles `api` and `all`: the whole of the HTTP interface. */
async function startApi(config: Config, parts: Parts, shutdown: Shutdown, drain: Drain): Promise<string> {
  const { db, pepper, vault, clock, outbound, notifications, log } = parts;
  const verifier = createKeyVerifier(parts);
  shutdown.push(() => verifier.stop());
  const watch = createFinishWatch({ db, notifications, log });
  const cursors = createCursors(pepper);
  const rule = { outbound, ports: config.webhookPorts };
  const links = createLinks({ secret: pepper, clock });
  const app = await createApi({
    verifier,
    search: createSearch(parts),
    scrapes: createScrapes({ ...parts, watch, cursors }),
    exports: createExports({ ...parts, queue: parts.exportQueue, links, cursors }),
    downloads: createDownloads({ ...parts, links }),
    publicUrl: config.publicUrl,
    webhookEndpoints: createEndpoints({ db, vault, clock, cursors, ...rule }),
    webhookDeliveries: createDeliveries({ db, clock, cursors, ...rule }),
    eventStreams: createEventStreams({ db, clock, log }),
    health: healthOf(parts, drain),
    metrics: metricsOf(parts),
    log,
    rateLimit: createRateLimit(config.rateLimitPerSecond),
    trustedProxies: config.trustedProxies,
    otherEdges: [createConsole({ ...parts, members: createMembers({ db, clock }), dashboardFolder })],
  });
  const address = await open(app, config, shutdown, drain);
  // The first to stop: callers who wait for jobs would otherwise hold up the server's end.
  shutdown.push(() => watch.stop());
  return address;
}

/** The role `worker`: health and metrics only. */
async function startHealthServer(config: Config, parts: Parts, shutdown: Shutdown, drain: Drain): Promise<string> {
  const app = createHealthServer({ health: healthOf(parts, drain), metrics: metricsOf(parts), log: parts.log });
  return open(app, config, shutdown, drain);
}

/** The roles `worker` and `all`. */
function startWorkers({ webhookPorts, retentionDays }: Config, parts: Parts, shutdown: Shutdown) {
  const workers = startAllWorkers({ ...parts, ports: webhookPorts, retentionDays });
  shutdown.push(() => workers.stop());
}

function healthOf({ db, migrations, clockCheck }: Parts, drain: Drain): Health {
  return {
    async check() {
      if (drain.isDraining()) return { problems: ["the process is stopping"], warnings: [] };
      try {
        const { aheadMs, isTrusted } = await clockCheck.read();
        return {
          problems: (await isMigrated(db, migrations)) ? [] : ["the database lacks migrations"],
          warnings: isTrusted ? [] : [clockSentence(aheadMs)],
        };
      } catch {
        return { problems: ["the database does not answer"], warnings: [] };
      }
    },
  };
}

function clockSentence(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `this process's clock is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's; it deletes nothing until the clocks agree`;
}

function metricsOf({ clockCheck, counters }: Parts) {
  return createMetrics({ clockAheadSeconds: () => (clockCheck.last()?.aheadMs ?? 0) / 1_000, counters });
}

async function open(app: HttpServer, { host, port }: Config, shutdown: Shutdown, drain: Drain): Promise<string> {
  drain.watch(app);
  await app.listen({ host, port });
  shutdown.push(async () => {
    // Closing ends the connections that are idle at that moment; those that become idle when their
    // answer has been sent would keep the server up for as long as their clients like.
    const closing = setInterval(() => app.server.closeIdleConnections(), closeIdleMs);
    await app.close();
    clearInterval(closing);
  });
  const bound = app.server.address();
  const shownHost = isIPv6(host) ? `[${host}]` : host;
  return `http://${shownHost}:${typeof bound === "object" && bound ? bound.port : port}`;
}
