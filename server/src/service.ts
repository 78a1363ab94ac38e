import { isIPv6 } from "node:net";
import { createApi, createHealthServer } from "./api/app.ts";
import { createMetrics } from "./api/metrics.ts";
import { createRateLimit } from "./api/rate-limit.ts";
import type { Config } from "./config.ts";
import { createKeyVerifier } from "./domains/api-keys/index.ts";
import { createFinishWatch, createScrapes } from "./domains/scrapes/index.ts";
import { createSearch } from "./domains/search/index.ts";
import { createDeliveries, createDispatcher, createEndpoints, createUpkeep } from "./domains/webhooks/index.ts";
import { type FirstKeys, openInstallation, setUpOnce } from "./installation.ts";
import { createCursors } from "./platform/http/cursors.ts";
import type { HttpServer } from "./platform/http/server.ts";
import type { Log } from "./platform/log.ts";
import { createOutbound } from "./platform/net/outbound.ts";
import type { Connection } from "./platform/postgres/database.ts";
import { startEmbedded } from "./platform/postgres/embedded/index.ts";
import { isMigrated } from "./platform/postgres/migrate.ts";
import { listenForNotifications } from "./platform/postgres/notifications.ts";
import { sql } from "./platform/postgres/sql.ts";
import { createParts, type Parts, type Replaced } from "./parts.ts";
import type { Source } from "./sources/source.ts";
import { startSweeps } from "./sweeps.ts";
import { startWorker } from "./worker/index.ts";

export type Service = {
  address: string;
  /** Only at the very first start, and nowhere else ever again. */
  firstKeys: FirstKeys | undefined;
  adoptedPostgres: boolean;
  /** The source that answers live keys as things stand; undefined when there is none. */
  liveSource: Source | undefined;
  stop(): Promise<void>;
};

/** What is to be done at the end, in the opposite order of its beginning. */
type Shutdown = (() => Promise<void> | void)[];

const closeIdleMs = 50;

/** Builds the parts and starts them; stop() takes them down in the opposite order. */
export async function startService(config: Config, log: Log, replaced: Replaced = {}): Promise<Service> {
  const shutdown: Shutdown = [];
  const stop = async () => {
    for (const step of shutdown.reverse()) await step();
  };
  try {
    const { connection, adopted } = await reachPostgres(config, log, shutdown);
    const installation = await openInstallation(config, connection, log);
    shutdown.push(() => installation.db.end());
    const firstKeys = await setUpOnce(config, installation);

    const notifications = listenForNotifications(connection, log);
    shutdown.push(() => notifications.stop());
    const outbound = createOutbound({ allow: config.outboundAllow });
    shutdown.push(() => outbound.close());
    const parts = createParts({ config, installation, notifications, outbound, log, replaced });
    const sweeps = startSweeps(config, parts);
    shutdown.push(() => sweeps.stop());

    const address = await (config.role === "worker" ? tellHealth : answer)(config, parts, shutdown);
    if (config.role !== "api") work(config, parts, shutdown);
    const liveSource = await parts.sources.pick();
    liveSource?.warm?.();
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
): Promise<{ connection: Connection; adopted: boolean }> {
  if (config.databaseUrl) return { connection: { url: config.databaseUrl }, adopted: false };
  const postgres = await startEmbedded({ dataFolder: config.dataFolder, log });
  shutdown.push(() => postgres.stop());
  return postgres;
}

/** The roles `api` and `all`: the whole of the HTTP interface. */
async function answer(config: Config, parts: Parts, shutdown: Shutdown): Promise<string> {
  const { db, pepper, vault, clock, outbound, notifications, log } = parts;
  const verifier = createKeyVerifier(parts);
  shutdown.push(() => verifier.stop());
  const watch = createFinishWatch({ db, notifications, log });
  const cursors = createCursors(pepper);
  const rule = { outbound, ports: config.webhookPorts };
  const app = await createApi({
    verifier,
    search: createSearch(parts),
    scrapes: createScrapes({ ...parts, watch, cursors }),
    webhookEndpoints: createEndpoints({ db, vault, clock, cursors, ...rule }),
    webhookDeliveries: createDeliveries({ db, clock, cursors, ...rule }),
    health: healthOf(parts),
    metrics: createMetrics(),
    log,
    rateLimit: createRateLimit(config.rateLimitPerSecond),
    trustedProxies: config.trustedProxies,
  });
  const address = await open(app, config, shutdown);
  // The first to stop: callers who wait for jobs would otherwise hold up the server's end.
  shutdown.push(() => watch.stop());
  return address;
}

/** The role `worker`, to those who look after it. */
async function tellHealth(config: Config, parts: Parts, shutdown: Shutdown): Promise<string> {
  const app = createHealthServer({ health: healthOf(parts), metrics: createMetrics(), log: parts.log });
  return open(app, config, shutdown);
}

/** The roles `worker` and `all`: jobs are run and webhooks delivered. */
function work(config: Config, parts: Parts, shutdown: Shutdown) {
  const upkeep = createUpkeep(parts);
  upkeep.start();
  shutdown.push(() => upkeep.stop());
  const dispatcher = createDispatcher({ ...parts, ports: config.webhookPorts });
  dispatcher.start();
  shutdown.push(() => dispatcher.stop());
  const worker = startWorker(parts);
  shutdown.push(() => worker.stop());
}

function healthOf({ db, migrations }: Parts) {
  return {
    async problems() {
      try {
        await db.query(sql`select 1`);
        return (await isMigrated(db, migrations)) ? [] : ["the database lacks migrations"];
      } catch {
        return ["the database does not answer"];
      }
    },
  };
}

async function open(app: HttpServer, { host, port }: Config, shutdown: Shutdown): Promise<string> {
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
