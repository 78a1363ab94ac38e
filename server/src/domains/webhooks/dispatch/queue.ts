import type { Clock } from "../../../platform/clock.ts";
import { idFromUuid } from "../../../platform/ids.ts";
import { type Meters, noMeters } from "../../../platform/meters.ts";
import type { Log } from "../../../platform/log.ts";
import type { Outbound } from "../../../platform/net/outbound.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { Notifications } from "../../../platform/postgres/notifications.ts";
import type { Vault } from "../../../platform/postgres/vault.ts";
import { traceFields } from "../../../platform/traceparent.ts";
import { attemptsRevokedChannel, deliveriesDueChannel } from "../events/channels.ts";
import { requestIdOf } from "../events/event.ts";
import { attemptNumber, type AttemptResult, makeAttempt } from "./attempt.ts";
import { createAttemptMeter } from "./attempt-meter.ts";
import { decideOutcome } from "./attempt-outcome.ts";
import { createLanes, initialWidth } from "./lanes.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { createSecretCache } from "./secret-cache.ts";
import { claimDeliveries, type ClaimedDelivery, renewLeases } from "./store.ts";

export type DeliveryLimits = {
  /** Deliveries whose attempts this process holds at once, and running attempts to one endpoint. */
  heldMax: number;
  perEndpointMax: number;
  deadlineMs: number;
  /** How long a killed process's deliveries wait; a living one renews its leases. */
  leaseMs: number;
  /** How long running attempts may go on when the process stops. */
  stopGraceMs: number;
};

const deliveryLimits: DeliveryLimits = {
  heldMax: 512,
  perEndpointMax: 32,
  deadlineMs: 10_000,
  leaseMs: 8_000,
  stopGraceMs: 3_000,
};

export type DeliveryQueueDeps = {
  db: Database;
  vault: Vault;
  outbound: Outbound;
  ports: readonly number[];
  notifications: Notifications;
  clock: Clock;
  log: Log;
  limits?: Partial<DeliveryLimits>;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  meters?: Meters;
};

/** A delivery as work: endpoints are its lanes, and none is ever quarantined. */
type RunningDelivery = ClaimedDelivery & { requestId: string; isQuarantined: false; lane: string; claimedMs: number };

/**
 * The due deliveries of all endpoints, as work to be claimed, attempted, renewed and written. Any number of processes
 * share one database: outcomes are guarded by the lease token.
 */
export function createDeliveryQueue({
  db,
  vault,
  outbound,
  ports,
  notifications,
  clock,
  log,
  ...rest
}: DeliveryQueueDeps) {
  const limits = { ...deliveryLimits, ...rest.limits };
  const random = rest.random ?? Math.random;
  const meter = createAttemptMeter(rest.meters ?? noMeters);
  const lanes = createLanes({ heldMax: limits.heldMax, widthMax: limits.perEndpointMax });
  const writeOutcome = createOutcomeWriter({ db, log });
  const secrets = createSecretCache(vault);
  const renewMs = limits.leaseMs / 4;
  notifications.on(attemptsRevokedChannel, () => secrets.forget());

  /** Leases due deliveries, of each endpoint as many as its lane has room for. */
  async function claim(limit: number): Promise<RunningDelivery[]> {
    const claimedMs = performance.now();
    const claimed = await claimDeliveries(db, {
      now: clock.now(),
      leaseMs: limits.leaseMs,
      batch: limit,
      perEndpoint: initialWidth,
      rooms: lanes.rooms(),
    });
    for (const { endpointId } of claimed) lanes.enter(endpointId);
    return claimed.map((delivery) => ({
      ...delivery,
      requestId: requestIdOf(delivery.body) ?? "",
      isQuarantined: false,
      lane: delivery.endpointId,
      claimedMs,
    }));
  }

  /** Makes one attempt and writes what came of it; one that was stopped is due again at once. */
  async function run(
    delivery: RunningDelivery,
    signal: AbortSignal,
    onCollected: (failure?: string) => void,
  ): Promise<void> {
    await lanes.turn(delivery.lane);
    const startedAt = clock.now();
    const startedMs = performance.now();
    const { deadlineMs } = limits;
    const result = await makeAttempt({ secrets, outbound, ports, deadlineMs }, delivery, startedAt, signal);
    const failure = "error" in result ? result.error : undefined;
    const latencyMs = Math.round(performance.now() - startedMs);
    const now = clock.now();
    const outcome = decideOutcome(delivery, result, { startedAt, latencyMs, now, random: random() });
    meter(delivery, result, startedAt);
    logAttempt(log, delivery, result, latencyMs);
    const written = writeOutcome({ ...outcome, delivery, now });
    lanes.leave(delivery.lane, failure !== undefined && slowErrors.has(failure));
    onCollected(failure);
    await written;
  }

  /** Most attempts end before their first renewal: only those that take long cost a statement. */
  async function renew(deliveries: readonly RunningDelivery[]): Promise<Set<string>> {
    const before = performance.now() - renewMs;
    const young = deliveries.filter(({ claimedMs }) => claimedMs > before).map(({ uuid }) => uuid);
    const old = deliveries.filter(({ claimedMs }) => claimedMs <= before);
    const kept = old.length === 0 ? [] : await renewLeases(db, old, limits.leaseMs / 1_000);
    return new Set([...young, ...kept]);
  }

  return {
    name: "deliveries",
    wakeChannel: deliveriesDueChannel,
    stopChannel: attemptsRevokedChannel,
    renewMs,
    graceMs: limits.stopGraceMs,
    span: { name: "send webhook", kind: "producer" as const },
    capacity: async () => lanes.capacity(),
    claim,
    run,
    renew,
    // A stopped attempt hands its delivery back when it writes its outcome; where it cannot, the lease runs out.
    handBack: async () => {},
  };
}

/** A name whose servers are silent holds a place as long as a receiver that is. */
const slowErrors = new Set(["timed_out", "connect_failed", "resolver_failed", "lookup_timed_out"]);

function logAttempt(log: Log, delivery: RunningDelivery, result: AttemptResult, latencyMs: number) {
  log.info(
    {
      ...traceFields(delivery),
      delivery_id: idFromUuid("dlv", delivery.uuid),
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
