import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import { idFromUuid } from "../../../platform/ids.ts";
import type { Log } from "../../../platform/log.ts";
import type { Outbound } from "../../../platform/net/outbound.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { Notifications } from "../../../platform/postgres/notifications.ts";
import type { Vault } from "../../../platform/postgres/vault.ts";
import { attemptNumber, makeAttempt, type Outcome } from "./attempt.ts";
import { claimDeliveries, type ClaimedDelivery } from "./store.ts";
import { attemptsRevokedChannel } from "../endpoints/store.ts";
import { deliveriesDueChannel } from "../deliveries/enqueue-store.ts";
import { createLanes, widthAtFirst } from "./lanes.ts";
import { createSecretCache } from "./secret-cache.ts";
import { settle } from "./attempt-outcome.ts";
import { createSettling } from "./outcome-writer.ts";

export type DispatchLimits = {
  /** Deliveries this process holds at once, and attempts under way to one endpoint. */
  heldMax: number;
  perEndpointMax: number;
  deadlineMs: number;
  /** Far longer than an attempt and the writing of its outcome take; a killed process's deliveries wait this long. */
  leaseMs: number;
  /** How often we look although nobody called: for retries that have become due, and for lost calls. */
  pollMs: number;
  /** How long attempts under way may go on when we are asked to stop. */
  stopGraceMs: number;
};

export const dispatchLimits: DispatchLimits = {
  heldMax: 512,
  perEndpointMax: 32,
  deadlineMs: 10_000,
  leaseMs: 60_000,
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
};

/**
 * Sends what is due. Any number of dispatchers share one database: each leases deliveries, makes the
 * attempts and writes what became of them, if its lease still holds.
 */
export function createDispatcher({ db, vault, outbound, ports, notifications, clock, log, ...rest }: DispatcherDeps) {
  const limits = { ...dispatchLimits, ...rest.limits };
  const random = rest.random ?? Math.random;
  const lanes = createLanes({ heldMax: limits.heldMax, widthMax: limits.perEndpointMax });
  const underWay = new Map<string, { endpointId: string; abort: AbortController; done: Promise<void> }>();
  const bell = createBell();
  const settling = createSettling({ db, log, onWritten: () => bell.ring() });
  const secrets = createSecretCache(vault);
  let loop: Promise<void> | undefined;
  const stopping = new AbortController();

  notifications.on(deliveriesDueChannel, () => bell.ring());
  notifications.on(attemptsRevokedChannel, (endpointId) => {
    secrets.forget();
    for (const each of underWay.values()) if (each.endpointId === endpointId) each.abort.abort();
  });

  function start() {
    loop ??= run();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claimed = await claim().catch((error: unknown) => {
        log.error({ err: error }, "webhook.claim_failed");
        return 0;
      });
      if (claimed === 0) await bell.rung(limits.pollMs);
    }
  }

  /** Leases what is due and there is room for, and begins the attempts; resolves to how many. */
  async function claim(): Promise<number> {
    const free = Math.min(lanes.free(), unwrittenMax - settling.waiting());
    if (free <= 0) return 0;
    const now = clock.now();
    const leaseEndsMs = performance.now() + limits.leaseMs;
    const claimed = await claimDeliveries(db, {
      now,
      leaseUntil: new Date(now.getTime() + limits.leaseMs),
      batch: free,
      perEndpoint: widthAtFirst,
      rooms: lanes.rooms(),
    });
    for (const delivery of claimed) {
      const abort = new AbortController();
      lanes.enter(delivery.endpointId);
      const done = attempt(delivery, leaseEndsMs, abort.signal).finally(() => underWay.delete(delivery.id));
      underWay.set(delivery.id, { endpointId: delivery.endpointId, abort, done });
    }
    return claimed.length;
  }

  async function attempt(delivery: ClaimedDelivery, leaseEndsMs: number, signal: AbortSignal): Promise<void> {
    await lanes.turn(delivery.endpointId);
    const startedAt = clock.now();
    const startedMs = performance.now();
    const { deadlineMs } = limits;
    const outcome = await makeAttempt({ secrets, outbound, ports, deadlineMs }, delivery, startedAt, signal);
    const latencyMs = Math.round(performance.now() - startedMs);
    const now = clock.now();
    const { settlement, effect } = settle(delivery, outcome, { startedAt, latencyMs, now, random: random() });
    logAttempt(log, delivery, outcome, latencyMs);
    settling.add({ delivery, settlement, effect, now, leaseEndsMs });
    lanes.leave(delivery.endpointId, outcome.kind === "failed" && slowErrors.has(outcome.error));
    bell.ring();
  }

  /** Sends until nothing is due any more. */
  async function drain(): Promise<void> {
    while ((await claim()) > 0) await settled();
  }

  async function settled(): Promise<void> {
    await Promise.all([...underWay.values()].map(({ done }) => done));
    await settling.drained();
  }

  /** Stops claiming, lets attempts under way finish for a moment, and hands back the rest. */
  async function stop(): Promise<void> {
    stopping.abort();
    bell.ring();
    await loop;
    await Promise.race([settled(), sleep(limits.stopGraceMs, undefined, { ref: false })]);
    for (const { abort } of underWay.values()) abort.abort();
    await settled();
  }

  return { start, drain, stop };
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

const unwrittenMax = 1_000;
const slowErrors = new Set(["timed_out", "connect_failed"]);

/** Rings wake whoever waits; a ring while nobody waits wakes the next at once. */
function createBell() {
  let rang = false;
  let wake: (() => void) | undefined;

  return {
    ring() {
      rang = true;
      wake?.();
    },
    async rung(withinMs: number): Promise<void> {
      if (!rang) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, withinMs);
        await promise;
        clearTimeout(timer);
        wake = undefined;
      }
      rang = false;
    },
  };
}

function logAttempt(log: Log, delivery: ClaimedDelivery, outcome: Outcome, latencyMs: number) {
  log.info(
    {
      delivery_id: idFromUuid("dlv", delivery.id),
      endpoint_id: idFromUuid("whe", delivery.endpointId),
      organization_id: delivery.organizationId,
      attempt: attemptNumber(delivery),
      resend: delivery.resend || undefined,
      outcome: outcome.kind,
      http_status: outcome.kind === "answered" ? outcome.status : undefined,
      error: "error" in outcome ? outcome.error : undefined,
      duration_ms: latencyMs,
      ...("cause" in outcome ? { err: outcome.cause } : {}),
    },
    "webhook.attempted",
  );
}
