import type { TestContext } from "node:test";
import {
  createDeliveryQueue,
  createWebhooks,
  type DeliveryLimits,
  type EventOf,
  runUpkeep,
  type StreamLimits,
} from "../src/domains/webhooks/index.ts";
import { newId, newUuid, uuidFromId } from "../src/platform/ids.ts";
import { type Log, silentLog } from "../src/platform/log.ts";
import { noTracing, type Tracing } from "../src/platform/tracing.ts";
import type { Source } from "../src/sources/source.ts";
import { createOutbound, type Outbound } from "../src/platform/net/outbound.ts";
import { type Runner, startQueues, type WorkQueue } from "../src/worker/index.ts";
import { type Answered, startApi } from "./harness.ts";
import { accept, type Answer, makeCertificates, openReceiver, trust } from "./webhook-receiver.ts";

let shared: ReturnType<typeof makeCertificates> | undefined;

/** The certificates of a test file, trusted by its process. */
export async function fileCertificates() {
  shared ??= makeCertificates().then((made) => {
    trust(made);
    return made;
  });
  return shared;
}

/** The limits of the queue, and how often the worker looks for work that nobody told it of. */
type Limits = Partial<DeliveryLimits> & { pollMs?: number };

type Options = {
  answer?: Answer;
  limits?: Limits;
  outbound?: Outbound;
  /** Ports that may be used beside the receiver's. */
  ports?: readonly number[];
  random?: () => number;
  streams?: Partial<StreamLimits>;
  log?: Log;
  source?: Source;
  tracing?: Tracing;
};

export const retentionDays = 30;

type Change = Partial<Omit<EventOf<"scrape_job">, "data">> & { operation?: string };

/** The API, a dispatcher that sends when told, and an HTTPS receiver that may be reached. */
export async function startWebhooks(t: TestContext, options: Options = {}) {
  const workers: Runner[] = [];
  // First, because hooks run in the order they were asked for: a worker needs its database to stop.
  t.after(async () => {
    for (const each of workers) await each.stop();
  });
  const receiver = await openReceiver(await fileCertificates(), options.answer ?? accept);
  t.after(() => receiver.close());
  const outbound = options.outbound ?? createOutbound({ allow: ["127.0.0.0/8"] });
  const log = options.log ?? silentLog;
  const ports = [receiver.port, ...(options.ports ?? [])];
  const { source, tracing = noTracing } = options;
  const api = await startApi(t, {
    outbound,
    webhookPorts: ports,
    streams: options.streams ?? {},
    log,
    tracing,
    ...(source ? { source } : {}),
  });
  const { db, clock, vault, notifications } = api;
  const webhooks = createWebhooks({ clock });
  const upkeep = {
    async run() {
      while ((await runUpkeep(db, clock.now(), retentionDays)) > 0);
    },
  };

  /** A worker for deliveries alone. */
  function newDispatcher() {
    const { pollMs = 1_000, ...limits } = options.limits ?? {};
    const { random } = options;
    const deps = { db, vault, outbound, ports, notifications, clock, log, limits, ...(random ? { random } : {}) };
    const queue: WorkQueue = createDeliveryQueue(deps);

    function start(queues = [queue]): Runner {
      const worker = startQueues({ queues, notifications, log, tracing, pollMs });
      workers.push(worker);
      return worker;
    }

    /** Sends until nothing is due any more; no lease is renewed meanwhile. */
    async function drain(): Promise<void> {
      const drained = Promise.withResolvers<void>();
      let underWay = 0;
      const watched: WorkQueue = {
        ...queue,
        renewMs: 3_600_000,
        async claim(limit, withQuarantined) {
          const wasIdle = underWay === 0;
          const claimed = await queue.claim(limit, withQuarantined);
          underWay += claimed.length;
          if (wasIdle && claimed.length === 0) drained.resolve();
          return claimed;
        },
        async run(...given) {
          await queue.run(...given).finally(() => (underWay -= 1));
        },
      };
      const worker = start([watched]);
      await drained.promise;
      await worker.stop();
    }

    let started: Runner | undefined;
    return { start: () => void (started ??= start()), drain, stop: async () => started?.stop() };
  }

  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  function call(method: string, path: string, json?: unknown, as = key): Promise<Answered> {
    return api.call(`/api/v1${path}`, { method, key: as, ...(json === undefined ? {} : { json }) });
  }

  /** An endpoint at the receiver, with its secret. */
  async function givenEndpoint(change: Record<string, unknown> = {}) {
    const json = { url: receiver.url, event_types: ["scrape.started", "scrape.completed"], ...change };
    const { status, body, text } = await call("POST", "/webhook-endpoints", json);
    if (status !== 201) throw new Error(text);
    const { id, secret } = body.data;
    return { id: id as string, uuid: uuidFromId("whe", id) ?? "", secret: secret as string };
  }

  /** Something happened to a job that the endpoint is bound to. */
  async function givenEvent(endpointId: string | null, change: Change = {}) {
    const { operation = "places.search", ...rest } = change;
    const event: EventOf<"scrape_job"> = {
      organizationId,
      type: "scrape.started",
      resource: { type: "scrape_job", id: newUuid() },
      requestId: newId("req"),
      traceparent: null,
      endpointId,
      data: {
        job_id: newId("req").replace("req", "job"),
        operation,
        status: "running",
        progress: { completed_queries: 0, total_queries: 1 },
        result_count: 0,
        error_class: null,
      },
      ...rest,
    };
    await db.transaction((tx) => webhooks.emit(tx, event));
    return event;
  }

  async function deliveries(endpointId: string): Promise<any[]> {
    return (await call("GET", `/webhook-endpoints/${endpointId}/deliveries?limit=100`)).body.data;
  }

  async function endpoint(endpointId: string): Promise<any> {
    return (await call("GET", `/webhook-endpoints/${endpointId}`)).body.data;
  }

  const dispatcher = newDispatcher();
  return {
    ...api,
    receiver,
    outbound,
    webhooks,
    dispatcher,
    newDispatcher,
    upkeep,
    key,
    organizationId,
    send: call,
    givenEndpoint,
    givenEvent,
    deliveries,
    endpoint,
  };
}

export type WebhookTest = Awaited<ReturnType<typeof startWebhooks>>;
