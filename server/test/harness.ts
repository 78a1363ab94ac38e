import { connect } from "node:net";
import { after } from "node:test";
import type { TestContext } from "node:test";
import { type ApiDeps, createApi } from "../src/api/app.ts";
import { createMetrics } from "../src/api/metrics.ts";
import { createRateLimit } from "../src/api/rate-limit.ts";
import { createConsole } from "../src/console/index.ts";
import { createApiKeys, createKeyVerifier } from "../src/domains/api-keys/index.ts";
import { createBilling } from "../src/domains/billing/index.ts";
import { createBusinesses } from "../src/domains/businesses/index.ts";
import type { WebsiteReader } from "../src/domains/enrichment/index.ts";
import {
  createDownloads,
  createExportQueue,
  createExports,
  createLinks,
  type FileStore,
  openFileStore,
} from "../src/domains/exports/index.ts";
import { createMembers } from "../src/domains/members/index.ts";
import { createOrganizations } from "../src/domains/organizations/index.ts";
import { createFinishWatch, createScrapes, createSignals, scrapeRows } from "../src/domains/scrapes/index.ts";
import { createSearch } from "../src/domains/search/index.ts";
import {
  createDeliveries,
  createEndpoints,
  createEventStreams,
  createWebhooks,
  type StreamLimits,
} from "../src/domains/webhooks/index.ts";
import type { Clock } from "../src/platform/clock.ts";
import { createKeyRing } from "../src/platform/crypto/sealing.ts";
import { createCursors } from "../src/platform/http/cursors.ts";
import { newUuid } from "../src/platform/ids.ts";
import { type Log, silentLog } from "../src/platform/log.ts";
import { createOutbound, type Outbound } from "../src/platform/net/outbound.ts";
import { type Connection, createDatabase } from "../src/platform/postgres/database.ts";
import { listenForNotifications } from "../src/platform/postgres/notifications.ts";
import { agreeOnMasterKey, createVault } from "../src/platform/postgres/vault.ts";
import { createFixtures } from "../src/sources/fixtures/index.ts";
import { createSourceSelection } from "../src/sources/selection.ts";
import type { Source } from "../src/sources/source.ts";
import { startQueues } from "../src/worker/index.ts";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";

/** Sends bytes as they are on a socket of their own, and reads what comes back until the server closes it. */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(10_000, () => socket.destroy(new Error("no answer within 10 seconds")));
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
export const testKeyRing = createKeyRing(["a master key under which only tests seal secrets"]);

/** A clock that stands still until it is moved. */
export function manualClock(): Clock & { advance(ms: number): void } {
  let now = Date.now();
  return { now: () => new Date(now), advance: (ms) => void (now += ms) };
}

let shared: Promise<TestDatabase> | undefined;

/** The test file's own database, made when the first test asks and dropped after the last. */
export async function fileDatabase(): Promise<Connection> {
  shared ??= createTestDatabase();
  return (await shared).connection;
}

// Asked for here, at the root of the file: inside a test, it would run when that test ends.
after(async () => (await shared)?.drop());

type ApiOptions = {
  connection?: Connection;
  rateLimitPerSecond?: number;
  trustedProxies?: readonly string[];
  fixtures?: Source;
  sources?: Readonly<Record<string, Source>>;
  /** Answers live keys in place of all others, without a breaker in front of it. */
  source?: Source;
  enrichment?: WebsiteReader;
  allowance?: number;
  outbound?: Outbound;
  webhookPorts?: readonly number[];
  /** Where export files are kept, in place of a folder of the test's own. */
  files?: FileStore;
  /** Where a built dashboard lies; none otherwise. */
  dashboardFolder?: string;
  streams?: Partial<StreamLimits>;
  log?: Log;
  deprecations?: ApiDeps["deprecations"];
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

/** The whole HTTP edge on a real socket, with domains on a real database. */
/** Sources of a test, as `auto` would take them. */
function automatic(sources: Readonly<Record<string, Source>>): Source[] {
  return Object.values(sources).map((source) => ({ isAutomatic: true, ...source }));
}

export async function startApi(t: TestContext, options: ApiOptions = {}) {
  const { rateLimitPerSecond = 1_000_000, trustedProxies = [], log = silentLog, allowance } = options;
  const connection = options.connection ?? (await fileDatabase());
  const clock = manualClock();
  const db = createDatabase({ connection, connectionsMax: 10, log });
  const notifications = listenForNotifications(connection, log);
  const verifier = createKeyVerifier({ db, notifications, pepper: testPepper, clock, log });
  const organizations = createOrganizations({ db });
  const apiKeys = createApiKeys({ db, pepper: testPepper, clock });
  const cursors = createCursors(testPepper);
  const billing = createBilling({ db, clock, ...(allowance === undefined ? {} : { defaultAllowance: allowance }) });
  const fixtures = options.fixtures ?? createFixtures();
  const { source, enrichment } = options;
  const sources = source
    ? { pick: async () => source }
    : createSourceSelection({ choice: "auto", sources: automatic(options.sources ?? {}), clock });
  const businesses = createBusinesses({ db });
  const search = createSearch({ db, log, fixtures, sources, billing, businesses, enrichment });
  const webhooks = createWebhooks({ clock });
  const signals = createSignals({ db, log });
  const watch = createFinishWatch({ db, notifications, log });
  const scrapes = createScrapes({
    db,
    billing,
    webhooks,
    fixtures,
    sources,
    signals,
    watch,
    cursors,
  });
  const folder = await makeTempFolder();
  const files = options.files ?? (await openFileStore(folder, undefined));
  const rows = { jobs: scrapeRows };
  const exportQueue = createExportQueue({ db, connection, rows, files, webhooks, clock, log });
  const links = createLinks({ secret: testPepper, clock });
  await agreeOnMasterKey(db, testKeyRing);
  const vault = createVault({ ring: testKeyRing, reload: async () => testKeyRing });
  const outbound = options.outbound ?? createOutbound({ allow: [] });
  const rule = { outbound, ports: options.webhookPorts ?? [443, 8443] };
  const members = createMembers({ db, clock });
  const health = { check: async () => ({ problems: [], warnings: [] }) };
  const rateLimit = createRateLimit(rateLimitPerSecond, () => clock.now().getTime());
  const eventStreams = createEventStreams({ db, clock, log, limits: options.streams ?? {} });
  const app = await createApi({
    verifier,
    search,
    scrapes,
    exports: createExports({ db, rows, webhooks, queue: exportQueue, links, cursors }),
    downloads: createDownloads({ db, files, links, log }),
    publicUrl: undefined,
    webhookEndpoints: createEndpoints({ db, vault, clock, cursors, ...rule }),
    webhookDeliveries: createDeliveries({ db, clock, cursors, ...rule }),
    eventStreams,
    health,
    metrics: createMetrics({ clockAheadSeconds: () => 0 }),
    log,
    rateLimit,
    trustedProxies,
    ...(options.deprecations ? { deprecations: options.deprecations } : {}),
    otherEdges: [
      createConsole({ members, organizations, apiKeys, clock, dashboardFolder: options.dashboardFolder ?? "" }),
    ],
  });
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const allRoutes = app.routeTable.list();
  const workers: { stop(): Promise<void> }[] = [];
  t.after(async () => {
    for (const worker of workers) await worker.stop();
    watch.stop();
    await app.close();
    await outbound.close();
    await verifier.stop();
    await notifications.stop();
    await db.end();
    await removeFolder(folder);
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

  type WorkerOptions = Partial<Parameters<typeof startQueues>[0]>;

  /** A worker beside the API, on the same database; stopped after the test, or before. */
  function givenWorker(given: WorkerOptions = {}): { stop(): Promise<void> } {
    const parts = { db, notifications, fixtures, sources, businesses, enrichment, webhooks, signals, exportQueue, log };
    const worker = startQueues({ ...parts, ...given });
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
    app,
    /** The routes of the API; the other edges' ones are in `allRoutes`. */
    routes: allRoutes.filter(({ url }) => !url.startsWith("/console")),
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
