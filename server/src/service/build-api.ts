import { type ApiDeps, createApi } from "../api/app.ts";
import type { Health } from "../api/health.ts";
import { createMetrics } from "../api/metrics.ts";
import type { Config } from "./config/config.ts";
import { operatorMapOf } from "./config/map.ts";
import { oidcSettingsOf } from "./config/oidc.ts";
import { createConsole } from "../console/index.ts";
import { createAuthorize, createKeyVerifier, createRateLimit } from "../domains/api-keys/index.ts";
import { createCollections } from "../domains/collections/index.ts";
import { createDownloads, createExports, createLinks } from "../domains/exports/index.ts";
import { createMembers } from "../domains/members/index.ts";
import { createFinishWatch, createScrapes } from "../domains/scrapes/index.ts";
import { createSearch } from "../domains/search/index.ts";
import { createDeliveries, createEndpoints, createEventStreams, type StreamLimits } from "../domains/webhooks/index.ts";
import { createMcp } from "../mcp/index.ts";
import type { Parts } from "./dependencies.ts";
import type { ConnectionLimits } from "../platform/http/connection-limits.ts";
import { clientConnectionsWithin, openFilesFix } from "../platform/open-files.ts";
import { createCursors } from "../platform/pages.ts";
import type { Drain } from "../platform/http/drain.ts";
import { createReadiness } from "./readiness/readiness.ts";

type BuildDeps = {
  config: Config;
  parts: Parts;
  drain: Drain;
  /** Where the built dashboard lies. */
  dashboardFolder: string;
  streams?: Partial<StreamLimits>;
} & Pick<ApiDeps, "deprecations">;

/** The pages of many people, each with one stream that may be a second late. */
const consoleStreamLimits: Partial<StreamLimits> = { streamsMax: 50, pollMs: 1_000 };

/** The HTTP interface with all its edges on their parts. The service listens on it, and so do the tests. */
export async function buildApi({ config, parts, drain, dashboardFolder, streams = {}, ...options }: BuildDeps) {
  const { db, pepper, vault, clock, outbound, notifications, log, tracing } = parts;
  const verifier = createKeyVerifier(parts);
  const rateLimit = createRateLimit(config.rateLimitPerSecond, parts.elapsedMs);
  // One instance for every edge that takes keys: a key's rate counts all its requests together.
  const authorize = createAuthorize({ verifier, rateLimit, isSettingUp: parts.firstSetUp.isPending });
  const watch = createFinishWatch({ db, notifications, log });
  const cursors = createCursors(pepper);
  const rule = { outbound, ports: config.webhookPorts };
  const links = createLinks({ secret: pepper, clock });
  const members = createMembers({ db, clock });
  const eventStreams = createEventStreams({ db, clock, log, limits: streams });
  const collections = createCollections({ ...parts, cursors });
  const consoleStreams = createEventStreams({ db, clock, log, limits: { ...consoleStreamLimits, ...streams } });
  const verbs = {
    authorize,
    verifier,
    search: createSearch(parts),
    scrapes: createScrapes({ ...parts, watch, cursors }),
    collections,
    exports: createExports({ ...parts, queue: parts.exportQueue, links, cursors }),
    publicUrl: config.publicUrl,
    webhookEndpoints: createEndpoints({ db, vault, clock, cursors, ...rule }),
    webhookDeliveries: createDeliveries({ db, clock, cursors, ...rule }),
    eventStreams,
    log,
  };
  const connectionLimits = connectionLimitsOf(config, parts);
  const { publicUrl } = config;
  const oidc = oidcSettingsOf(config);
  const operatorMap = operatorMapOf(config);
  const dashboard = { ...parts, members, collections, consoleStreams, dashboardFolder, oidc, operatorMap, publicUrl };
  const app = await createApi({
    ...verbs,
    connectionLimits,
    tracing,
    downloads: createDownloads({ ...parts, links }),
    health: healthOf(parts, drain),
    metrics: createMetrics(parts.meters),
    trustedProxies: config.trustedProxies,
    otherEdges: [createConsole(dashboard), createMcp(verbs)],
    ...options,
  });
  return { app, verifier, watch, members, eventStreams };
}

export function healthOf(parts: Parts, drain: Drain): Health {
  return createReadiness({ ...parts, drain });
}

export function connectionLimitsOf(config: Config, { meters, log }: Parts): ConnectionLimits {
  const { connectionsPerAddressMax, stalledReaderSeconds, readerBytesPerSecondMin } = config;
  const connectionsMax = clientConnectionsWithin(config);
  if (connectionsMax < config.connectionsMax) {
    log.warn({ connections_max: connectionsMax, fix: openFilesFix }, "service.few_open_files");
  }
  const { unreadMegabytesMax } = config;
  const closed = meters.counter(
    "waypost_http_connections_closed_total",
    "Connections of clients that a limit closed, by the limit.",
    ["reason"],
  );
  return {
    connectionsMax,
    connectionsPerAddressMax,
    stalledReaderMs: stalledReaderSeconds * 1_000,
    readerBytesPerSecondMin,
    unreadBytesMax: unreadMegabytesMax * 1024 * 1024,
    onClosed: (reason) => closed({ reason }),
  };
}
