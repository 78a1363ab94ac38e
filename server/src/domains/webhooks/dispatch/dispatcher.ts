import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import { idFromUuid } from "../../../platform/ids.ts";
import { type Meters, noMeters } from "../../../platform/meters.ts";
import type { Log } from "../../../platform/log.ts";
import type { Outbound } from "../../../platform/net/outbound.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { Notifications } from "../../../platform/postgres/notifications.ts";
import type { Vault } from "../../../platform/postgres/vault.ts";
import { traceIdOf } from "../../../platform/traceparent.ts";
import { noTracing, type Tracing } from "../../../platform/tracing.ts";
import { requestIdOf } from "../events/event.ts";
import { attemptsRevokedChannel, deliveriesDueChannel } from "../events/channels.ts";
import { attemptNumber, type AttemptResult, makeAttempt } from "./attempt.ts";
import { decideOutcome } from "./attempt-outcome.ts";
import { createAttemptMeter } from "./attempt-meter.ts";
import { createLanes, initialWidth } from "./lanes.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { createSecretCache } from "./secret-cache.ts";
import { claimDeliveries, type ClaimedDelivery, renewLeases } from "./store.ts";
import { createWakeSignal } from "./wake-signal.ts";

export type DispatchLimits = {
  /** Deliveries this process holds at once, and running attempts to one endpoint. */
  heldMax: number;
  perEndpointMax: number;
  deadlineMs: number;
  /** How long a killed process's deliveries wait; a living one renews its leases. */
  leaseMs: number;
  /** How often to look for retries that have become due, and for lost notifications. */
  pollMs: number;
  /** How long running attempts may go on when the process stops. */
  stopGraceMs: number;
};

export const dispatchLimits: DispatchLimits = {
  heldMax: 512,
  perEndpointMax: 32,
  deadlineMs: 10_000,
  leaseMs: 8_000,
  pollMs: 1_000,
  stopGraceMs: 3_000,
};

export type DispatcherDeps = {
  db: Database;
  vault: Vault;
  outbound: Outbound;
  ports: readonly number[];
  notifications: Notifications;
  clock: Clock;
  log: Log;
  limits?: Partial<DispatchLimits>;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  meters?: Meters;
  tracing?: Tracing;
};

type RunningAttempt = {
  delivery: ClaimedDelivery;
  claimedMs: number;
  abort: AbortController;
  done: Promise<void>;
};

/**
 * Sends due deliveries. Any number of dispatchers share one database: each leases deliveries, makes
 * the attempts, renews the leases while they run, and writes the outcomes, guarded by the lease token.
 */
export function createDispatcher({ db, vault, outbound, ports, notifications, clock, log, ...rest }: DispatcherDeps) {
  const limits = { ...dispatchLimits, ...rest.limits };
  const random = rest.random ?? Math.random;
  const tracing = rest.tracing ?? noTracing;
  const meter = createAttemptMeter(rest.meters ?? noMeters);
  const lanes = createLanes({ heldMax: limits.heldMax, widthMax: limits.perEndpointMax });
  const running = new Set<RunningAttempt>();
  const wake = createWakeSignal();
  const outcomes = createOutcomeWriter({ db, log, onWritten: () => wake.signal() });
  const secrets = createSecretCache(vault);
  const heartbeatMs = limits.leaseMs / 4;
  let loop: Promise<void> | undefined;
  let heartbeat: Promise<void> | undefined;
  const stopping = new AbortController();
  const stopped = new AbortController();

  notifications.on(deliveriesDueChannel, () => wake.signal());
  notifications.on(attemptsRevokedChannel, (endpointId) => {
    secrets.forget();
    for (const { delivery, abort } of running) if (delivery.endpointId === endpointId) abort.abort();
  });

  function start() {
    loop ??= run();
    heartbeat ??= beat();
  }

  async function beat(): Promise<void> {
    while (!stopped.signal.aborted) {
      await sleep(heartbeatMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      await renew();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claimed = await claim().catch((error: unknown) => {
        log.error({ err: error }, "webhook.claim_failed");
        return 0;
      });
      if (claimed === 0) await wake.wait(limits.pollMs);
    }
  }

  /** Prolongs the leases of attempts that take long; most end before their first heartbeat. */
  async function renew(): Promise<void> {
    const before = performance.now() - heartbeatMs;
    const leases = [...running].filter(({ claimedMs }) => claimedMs <= before).map(({ delivery }) => delivery);
    if (leases.length === 0) return;
    try {
      await renewLeases(db, leases, limits.leaseMs);
    } catch (error) {
      log.warn({ deliveries: leases.length, err: error }, "webhook.lease_renewal_failed");
    }
  }

  /** Leases due deliveries as far as there is room, and starts the attempts; resolves to how many. */
  async function claim(): Promise<number> {
    const free = Math.min(lanes.free(), unwrittenMax - outcomes.pending());
    if (free <= 0) return 0;
    const claimedMs = performance.now();
    const claimed = await claimDeliveries(db, {
      now: clock.now(),
      leaseMs: limits.leaseMs,
      batch: free,
      perEndpoint: initialWidth,
      rooms: lanes.rooms(),
    });
    for (const delivery of claimed) {
      const abort = new AbortController();
      lanes.enter(delivery.endpointId);
      const entry = { delivery, claimedMs, abort, done: Promise.resolve() };
      running.add(entry);
      entry.done = attempt(delivery, abort.signal).finally(() => running.delete(entry));
    }
    return claimed.length;
  }

  async function attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    await lanes.turn(delivery.endpointId);
    const startedAt = clock.now();
    const startedMs = performance.now();
    const { deadlineMs } = limits;
    const span = tracing.start("send webhook", "producer", delivery.traceparent);
    if (span) delivery.traceparent = span.traceparent;
    const result = await makeAttempt({ secrets, outbound, ports, deadlineMs }, delivery, startedAt, signal);
    span?.end("error" in result ? result.error : undefined);
    const latencyMs = Math.round(performance.now() - startedMs);
    const now = clock.now();
    const outcome = decideOutcome(delivery, result, { startedAt, latencyMs, now, random: random() });
    meter(delivery, result, startedAt);
    logAttempt(log, delivery, result, latencyMs);
    const written = outcomes.write({ ...outcome, delivery, now });
    lanes.leave(delivery.endpointId, "error" in result && slowErrors.has(result.error));
    wake.signal();
    await written;
  }

  /** Sends until nothing is due any more. */
  async function drain(): Promise<void> {
    while ((await claim()) > 0) await finished();
  }

  async function finished(): Promise<void> {
    await Promise.all([...running].map(({ done }) => done));
  }

  /** Stops claiming, gives running attempts a moment to finish, and releases the rest. */
  async function stop(): Promise<void> {
    stopping.abort();
    wake.signal();
    await loop;
    await Promise.race([finished(), sleep(limits.stopGraceMs, undefined, { ref: false })]);
    for (const { abort } of running) abort.abort();
    await finished();
    stopped.abort();
    await heartbeat;
  }

  return { start, drain, stop };
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

const unwrittenMax = 1_000;
/** A name whose servers are silent holds a place as long as a receiver that is. */
const slowErrors = new Set(["timed_out", "connect_failed", "resolver_failed", "lookup_timed_out"]);

function logAttempt(log: Log, delivery: ClaimedDelivery, result: AttemptResult, latencyMs: number) {
  log.info(
    {
      request_id: requestIdOf(delivery.body),
      trace_id: traceIdOf(delivery.traceparent),
      delivery_id: idFromUuid("dlv", delivery.id),
      endpoint_id: idFromUuid("whe", delivery.endpointId),
      organization_id: delivery.organizationId,
      attempt: attemptNumber(delivery),
      resend: delivery.resend || undefined,
      outcome: result.kind,
      http_status: result.kind === "responded" ? result.status : undefined,
      error: "error" in result ? result.error : undefined,
      duration_ms: latencyMs,
      ...("cause" in result ? { err: result.cause } : {}),
    },
    "webhook.attempted",
  );
}
