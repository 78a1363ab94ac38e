import { type ApiDeps, createApi } from "../api/app.ts";
import type { Health } from "../api/health.ts";
import { createMetrics } from "../api/metrics.ts";
import type { Config } from "./config/config.ts";
import { operatorMapOf } from "./config/map.ts";
import { oidcSettingsOf } from "./config/oidc.ts";
import { type ConsoleDeps, createConsole } from "../console/index.ts";
import { createAuthorize, createCostLimit, createKeyVerifier, createRateLimit } from "../domains/api-keys/index.ts";
import { createAreaReader, createCollections } from "../domains/collections/index.ts";
import { createDownloads, createExportRemoval, createExports, createLinks } from "../domains/exports/index.ts";
import { createMembers } from "../domains/members/index.ts";
import { createFinishWatch, createScrapes } from "../domains/scrapes/index.ts";
import { createSearch } from "../domains/search/index.ts";
import { createDeliveries, createEndpoints, createEventStreams, type StreamLimits } from "../domains/webhooks/index.ts";
import { createMcp } from "../mcp/index.ts";
import type { Dependencies } from "./dependencies.ts";
import type { ConnectionLimits } from "../platform/http/connection-limits.ts";
import { clientConnectionsWithin, openFilesFix } from "../platform/open-files.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { createCursors } from "../platform/pages.ts";
import type { Drain } from "../platform/http/drain.ts";
import { createReadiness } from "./readiness/readiness.ts";

type BuildDeps = {
  config: Config;
  dependencies: Dependencies;
  drain: Drain;
  /** Where the built dashboard lies. */
  dashboardFolder: string;
  streams?: Partial<StreamLimits>;
} & Pick<ApiDeps, "deprecations">;

/** The pages of many people, each with one stream that may be a second late. */
const consoleStreamLimits: Partial<StreamLimits> = { streamsMax: 50, pollMs: 1_000 };

/** The HTTP interface with all its edges. The service listens on it, and so do the tests. */
export async function buildApi({ config, dependencies, drain, dashboardFolder, streams, deprecations }: BuildDeps) {
  const { db, pepper, vault, clock, meters, log, tracing, notifications, signals, firstSetUp } = dependencies;
  const { billing, testQuota, businesses, webhooks, rows, files, exportQueue } = dependencies;
  const { sources, fixtures, enrichment, webhookOutbound: outbound } = dependencies;
  const { webhookPorts: ports, publicUrl, trustedProxies } = config;

  const verifier = createKeyVerifier({ db, notifications, pepper, clock, log });
  const rateLimit = createRateLimit(config.rateLimitPerSecond, dependencies.elapsedMs);
  // One instance for every edge that takes keys: a key's rate counts all its requests together.
  const authorize = createAuthorize({ verifier, rateLimit, isSettingUp: firstSetUp.isPending });
  const costs = createCosts(config, dependencies);
  const areas = createAreaReader(costs);
  const watch = createFinishWatch({ db, notifications, log });
  const cursors = createCursors(pepper);
  const links = createLinks({ secret: pepper, clock });
  const onChecked = (address: string, ms: number) => costs.spend(clientNetwork(address), ms);
  const members = createMembers({ db, clock, onChecked });
  const search = createSearch({ db, log, billing, businesses, enrichment, fixtures, sources, testQuota });
  const exportRemoval = createExportRemoval({ files, webhooks, log });
  const creation = { db, clock, webhooks, testQuota, fixtures, sources, exportRemoval };
  const scrapes = createScrapes({ ...creation, billing, signals, watch, cursors });
  const collections = createCollections({ ...creation, cursors, areas, costs });
  const exports = createExports({ db, clock, rows, webhooks, queue: exportQueue, links, cursors, exportRemoval });
  const webhookEndpoints = createEndpoints({ db, vault, clock, cursors, outbound, ports });
  const webhookDeliveries = createDeliveries({ db, clock, cursors, outbound, ports });
  const eventStreams = createEventStreams({ db, clock, log, limits: streams ?? {} });

  const mcp = createMcp({
    authorize,
    costs,
    search,
    scrapes,
    collections,
    exports,
    webhookEndpoints,
    webhookDeliveries,
    publicUrl,
    log,
  });
  const consoleStreams = createEventStreams({ db, clock, log, limits: { ...consoleStreamLimits, ...streams } });
  const dashboard = buildConsole({ config, dependencies, members, collections, consoleStreams, dashboardFolder });
  const app = await createApi({
    authorize,
    costs,
    verifier,
    search,
    scrapes,
    collections,
    exports,
    downloads: createDownloads({ db, files, links, log }),
    publicUrl,
    webhookEndpoints,
    webhookDeliveries,
    eventStreams,
    health: healthOf(dependencies, drain),
    metrics: createMetrics(meters),
    log,
    tracing,
    trustedProxies,
    connectionLimits: connectionLimitsOf(config, dependencies),
    otherEdges: [dashboard, mcp],
    ...(deprecations ? { deprecations } : {}),
  });
  app.addHook("onClose", areas.close);
  return { app, verifier, watch, members, eventStreams };
}

function createCosts({ processorMsPerSecond: msPerSecond }: Config, { meters, elapsedMs: nowMs }: Dependencies) {
  const refused = meters.counter(
    "waypost_http_cost_refused_total",
    "Requests refused because their organization had used up its processor time.",
    [],
  );
  return createCostLimit({ msPerSecond, nowMs, onRefused: () => refused({}) });
}

type ConsoleParts = Pick<BuildDeps, "config" | "dependencies" | "dashboardFolder"> &
  Pick<ConsoleDeps, "members" | "collections" | "consoleStreams">;

function buildConsole({ config, dependencies, ...rest }: ConsoleParts) {
  const { db, placeIndex, billing, sources, organizations, apiKeys, clock, oidcOutbound, log } = dependencies;
  const { members, collections, consoleStreams, dashboardFolder } = rest;
  return createConsole({
    db,
    placeIndex,
    billing,
    sources,
    members,
    organizations,
    apiKeys,
    collections,
    consoleStreams,
    clock,
    dashboardFolder,
    oidc: oidcSettingsOf(config),
    oidcOutbound,
    operatorMap: operatorMapOf(config),
    publicUrl: config.publicUrl,
    log,
  });
}

export function healthOf(dependencies: Dependencies, drain: Drain): Health {
  const { db, migrations, clockCheck, sourceLoading, firstSetUp, machineIndex: placeIndex, readDisks } = dependencies;
  return createReadiness({ db, migrations, clockCheck, drain, sourceLoading, firstSetUp, placeIndex, readDisks });
}

export function connectionLimitsOf(config: Config, { meters, log }: Dependencies): ConnectionLimits {
  const { connectionsPerAddressMax, stalledReaderSeconds, unreadMegabytesMax } = config;
  const connectionsMax = clientConnectionsWithin(config);
  if (connectionsMax < config.connectionsMax) {
    log.warn({ connections_max: connectionsMax, fix: openFilesFix }, "service.few_open_files");
  }
  const closed = meters.counter(
    "waypost_http_connections_closed_total",
    "Connections of clients that a limit closed, by the limit.",
    ["reason"],
  );
  return {
    connectionsMax,
    connectionsPerAddressMax,
    stalledReaderMs: stalledReaderSeconds * 1_000,
    unreadBytesMax: unreadMegabytesMax * 1024 * 1024,
    onClosed: (reason) => closed({ reason }),
  };
}
