import { connect } from "node:net";
import type { TestContext } from "node:test";
import type { ApiDeps } from "../src/api/app.ts";
import { buildApi } from "../src/service/build-api.ts";
import { type Config, readConfig } from "../src/service/config/config.ts";
import type { WebsiteReader } from "../src/domains/enrichment/index.ts";
import { type FileStore, openFileStore } from "../src/domains/exports/index.ts";
import type { StreamLimits } from "../src/domains/webhooks/index.ts";
import { openInstallation } from "../src/operator/installation.ts";
import { buildQueues } from "../src/service/build-workers.ts";
import { createDependencies, type Replaced } from "../src/service/dependencies.ts";
import type { PlaceIndex } from "../src/place-index/port.ts";
import { noPlaceIndex } from "../src/place-index/reader.ts";
import type { Clock } from "../src/platform/clock.ts";
import { createDrain } from "../src/platform/http/drain.ts";
import { newUuid } from "../src/platform/ids.ts";
import { type Log, silentLog } from "../src/platform/log.ts";
import { createOutbound, type Outbound } from "../src/platform/net/outbound.ts";
import type { Tracing } from "../src/platform/tracing.ts";
import type { Connection } from "../src/platform/postgres/database.ts";
import { listenForNotifications } from "../src/platform/postgres/notifications.ts";
import { createFixtures } from "../src/sources/fixtures/index.ts";
import { createSourceSelection, onlySource } from "../src/sources/selection.ts";
import type { Source } from "../src/sources/source.ts";
import { startQueues } from "../src/worker/index.ts";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";
import { fileDatabase } from "./postgres.ts";

export { fileDatabase };

/** Sends bytes as they are on a socket of their own, and reads what comes back until the server closes it. */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(60_000, () => socket.destroy(new Error("no answer within a minute")));
  socket.on("error", () => undefined);
  socket.write(bytes);
  let text = "";
  try {
    for await (const chunk of socket) text += String(chunk);
  } catch (error) {
    if (text === "") throw error;
  }
  return { status: Number(text.split(" ")[1]), text };
}

/** A search as raw bytes, with these header lines; a header can stand twice in it. */
export function rawSearch(json: unknown, headers: readonly string[]): string {
  const body = JSON.stringify(json);
  const lines = [
    "POST /api/v1/search HTTP/1.1",
    "Host: localhost",
    "Connection: close",
    "Content-Type: application/json",
  ];
  return `${[...lines, `Content-Length: ${Buffer.byteLength(body)}`, ...headers].join("\r\n")}\r\n\r\n${body}`;
}

export const testPepper = "a pepper that only tests are seasoned with";
const testMasterKey = "a master key under which only tests seal secrets";

/** A test often makes work due without telling anybody, and should not wait a second for it. */
const workerPollMs = 100;

/** A clock that stands still until it is moved. */
export function manualClock(): Clock & { advance(ms: number): void } {
  let now = Date.now();
  return { now: () => new Date(now), advance: (ms) => void (now += ms) };
}

type ApiOptions = {
  connection?: Connection;
  rateLimitPerSecond?: number;
  trustedProxies?: readonly string[];
  fixtures?: Source;
  sources?: Readonly<Record<string, Source>>;
  /** Answers live keys in place of all others, without a breaker in front of it. */
  source?: Source;
  enrichment?: WebsiteReader;
  /** What finds places of the catalog; nothing otherwise. */
  placeIndex?: PlaceIndex;
  allowance?: number;
  outbound?: Outbound;
  webhookPorts?: readonly number[];
  /** Where export files are kept, in place of a folder of the test's own. */
  files?: FileStore;
  /** Where a built dashboard lies; none otherwise. */
  dashboardFolder?: string;
  streams?: Partial<StreamLimits>;
  log?: Log;
  tracing?: Tracing;
  readDisk?: Replaced["readDisk"];
  deprecations?: ApiDeps["deprecations"];
  /** Settings that have no option of their own. */
  settings?: Partial<Config>;
};

export type Call = {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Uint8Array;
};

export type Answered = { status: number; headers: Headers; body: Record<string, any>; text: string };

/** The settings of a service under test; what a test does not name has its default. */
function testConfig(dataFolder: string, options: ApiOptions): Config {
  const config = readConfig({ WAYPOST_KEY_PEPPER: testPepper, WAYPOST_MASTER_KEY: testMasterKey });
  return {
    ...config,
    dataFolder,
    databaseConnectionsMax: 10,
    rateLimitPerSecond: options.rateLimitPerSecond ?? 1_000_000,
    processorMsPerSecond: 1_000_000,
    trustedProxies: [...(options.trustedProxies ?? [])],
    webhookPorts: [...(options.webhookPorts ?? config.webhookPorts)],
    defaultAllowance: options.allowance ?? config.defaultAllowance,
    ...options.settings,
  };
}

/** Sources of a test, as `auto` would take them. */
function automatic(sources: Readonly<Record<string, Source>>): Source[] {
  return Object.values(sources).map((source) => ({ isAutomatic: true, ...source }));
}

/** What production starts, on a real socket and a real database, with time and the outside world replaced. */
export async function startApi(t: TestContext, options: ApiOptions = {}) {
  const { log = silentLog, source, enrichment, fixtures = createFixtures(), dashboardFolder = "" } = options;
  const connection = options.connection ?? (await fileDatabase());
  const clock = manualClock();
  const folder = await makeTempFolder();
  const config = testConfig(folder, options);
  const installation = await openInstallation(config, connection, log, { clock });
  const notifications = listenForNotifications(connection, log);
  const outbound = options.outbound ?? createOutbound({ allow: [] });
  const files = options.files ?? (await openFileStore(folder, undefined));
  const sources = source
    ? onlySource(source)
    : createSourceSelection({ choice: "auto", sources: automatic(options.sources ?? {}), clock });
  const { readDisk, tracing } = options;
  const { placeIndex = noPlaceIndex } = options;
  const replaced = { placeIndex, sources, fixtures, enrichment, ...(readDisk ? { readDisk } : {}) };
  const outbounds = { webhooks: outbound, sources: outbound, enrichment: outbound, oidc: outbound };
  const dependencies = await createDependencies({
    config,
    connection,
    installation,
    reads: installation.db,
    files,
    notifications,
    outbounds,
    log,
    tracing,
    replaced,
  });
  const { db, vault, organizations, apiKeys, billing, webhooks, rows } = dependencies;
  const { deprecations, streams } = options;
  async function close() {
    await outbound.close();
    await notifications.stop();
    await db.end();
    await removeFolder(folder);
  }
  const built = await buildApi({
    config,
    dependencies,
    drain: createDrain(),
    dashboardFolder,
    ...(streams ? { streams } : {}),
    ...(deprecations ? { deprecations } : {}),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { app, verifier, watch, members, eventStreams } = built;
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const allRoutes = app.routeTable.list();
  const workers: { stop(): Promise<void> }[] = [];
  t.after(async () => {
    for (const worker of workers) await worker.stop();
    watch.stop();
    dependencies.sourceLoading.stop();
    await app.close();
    await verifier.stop();
    await close();
  });

  async function call(path: string, { method, key, headers = {}, json, body }: Call = {}): Promise<Answered> {
    const content = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(address + path, {
      method: method ?? (content === undefined ? "GET" : "POST"),
      headers: {
        ...(key === undefined ? {} : { "API-KEY": key }),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) : {},
    };
  }

  async function givenOrganization(): Promise<string> {
    return (await organizations.create(`org ${newUuid()}`)).id;
  }

  /** A key with every right, in an organization of its own unless told otherwise. */
  async function givenKey(request: Partial<Parameters<typeof apiKeys.create>[1]> & { organizationId?: string } = {}) {
    const { organizationId = await givenOrganization(), ...rest } = request;
    const revealed = await apiKeys.create(organizationId, { name: "test", environment: "test", ...rest });
    return { ...revealed, organizationId };
  }

  type WorkerOptions = Partial<Parameters<typeof buildQueues>[0]> & Parameters<typeof buildQueues>[1];

  /** A worker beside the API, on the same database; stopped after the test, or before. */
  function givenWorker(given: WorkerOptions = {}): { stop(): Promise<void> } {
    const queues = buildQueues({ ...dependencies, ...given }, given);
    const running = { log: given.log ?? log, tracing: dependencies.tracing, pollMs: workerPollMs };
    const worker = startQueues({ queues, notifications, ...running });
    workers.push(worker);
    return worker;
  }

  const searchAs = (key: string, json: unknown, headers: Record<string, string> = {}) =>
    call("/api/v1/search", { key, json, headers });

  return {
    address,
    db,
    clock,
    vault,
    notifications,
    apiKeys,
    billing,
    organizations,
    members,
    verifier,
    eventStreams,
    sourceLoading: dependencies.sourceLoading,
    app,
    /** The routes of the API; the other edges' ones are in `allRoutes`. */
    routes: allRoutes.filter(({ url }) => !url.startsWith("/console") && url !== "/mcp"),
    allRoutes,
    call,
    searchAs,
    givenOrganization,
    givenKey,
    givenWorker,
    webhooks,
    files,
    exportDeps: { db, connection, rows, files, webhooks, clock, log },
  };
}
