import { isIPv6 } from "node:net";
import { createApi, createHealthServer } from "./api/app.ts";
import { createMetrics } from "./api/metrics.ts";
import { createRateLimit } from "./api/rate-limit.ts";
import type { Config } from "./config.ts";
import { createKeyVerifier } from "./domains/api-keys/index.ts";
import { createSearch } from "./domains/search/index.ts";
import { type FirstKeys, type Installation, openInstallation, setUpOnce } from "./installation.ts";
import { systemClock } from "./platform/clock.ts";
import { sweepIdempotency } from "./platform/http/idempotency.ts";
import type { HttpServer } from "./platform/http/server.ts";
import type { Log } from "./platform/log.ts";
import type { Connection } from "./platform/postgres/database.ts";
import { startEmbedded } from "./platform/postgres/embedded/index.ts";
import { isMigrated } from "./platform/postgres/migrate.ts";
import { listenForNotifications } from "./platform/postgres/notifications.ts";
import { sql } from "./platform/postgres/sql.ts";
import { createFixtures } from "./sources/fixtures/index.ts";

export type Service = {
  address: string;
  /** Only at the very first start, and nowhere else ever again. */
  firstKeys: FirstKeys | undefined;
  adoptedPostgres: boolean;
  stop(): Promise<void>;
};

const sweepMs = 600_000;

/** Builds the parts and starts them; stop() takes them down in the opposite order. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const shutdown: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of shutdown.reverse()) await step();
  };
  try {
    const { connection, adopted } = await reachPostgres(config, log, shutdown);
    const installation = await openInstallation(config, connection, log);
    shutdown.push(() => installation.db.end());
    const firstKeys = await setUpOnce(config, installation);
    const address = await listen(config, log, connection, installation, shutdown);
    return { address, firstKeys, adoptedPostgres: adopted, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function reachPostgres(
  config: Config,
  log: Log,
  shutdown: (() => Promise<void>)[],
): Promise<{ connection: Connection; adopted: boolean }> {
  if (config.databaseUrl) return { connection: { url: config.databaseUrl }, adopted: false };
  const postgres = await startEmbedded({ dataFolder: config.dataFolder, log });
  shutdown.push(() => postgres.stop());
  return postgres;
}

async function listen(
  config: Config,
  log: Log,
  connection: Connection,
  { db, migrations, pepper }: Installation,
  shutdown: (() => Promise<void>)[],
): Promise<string> {
  const metrics = createMetrics();
  const health = {
    async problems() {
      try {
        await db.query(sql`select 1`);
        return (await isMigrated(db, migrations)) ? [] : ["the database lacks migrations"];
      } catch {
        return ["the database does not answer"];
      }
    },
  };
  const sweeper = setInterval(() => void sweep(db, log), sweepMs);
  shutdown.push(async () => clearInterval(sweeper));

  if (config.role === "worker") return open(createHealthServer({ health, metrics, log }), config, shutdown);

  const notifications = listenForNotifications(connection, log);
  shutdown.push(() => notifications.stop());
  const verifier = createKeyVerifier({ db, notifications, pepper, clock: systemClock, log });
  shutdown.push(() => verifier.stop());
  const search = createSearch({ db, fixtures: createFixtures() });
  const rateLimit = createRateLimit(config.rateLimitPerSecond);
  const { trustedProxies } = config;
  return open(await createApi({ verifier, search, health, metrics, log, rateLimit, trustedProxies }), config, shutdown);
}

async function open(app: HttpServer, { host, port }: Config, shutdown: (() => Promise<void>)[]): Promise<string> {
  await app.listen({ host, port });
  shutdown.push(() => app.close());
  const bound = app.server.address();
  const shownHost = isIPv6(host) ? `[${host}]` : host;
  return `http://${shownHost}:${typeof bound === "object" && bound ? bound.port : port}`;
}

async function sweep(db: Installation["db"], log: Log) {
  try {
    while ((await sweepIdempotency(db)) > 0);
  } catch (error) {
    log.warn({ error: (error as Error).message }, "idempotency.sweep_failed");
  }
}
