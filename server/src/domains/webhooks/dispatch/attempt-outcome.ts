import { attemptNumber, type Outcome } from "./attempt.ts";
import {
  ownFaultDelayMs,
  ownFaultsMayGoOn,
  retryAfterMs,
  retryDelayMs,
  retryDelaysMs,
} from "../deliveries/delivery.ts";
import type { ClaimedDelivery, MadeAttempt, Settlement } from "./store.ts";
import type { DisabledReason } from "../endpoints/endpoint.ts";

/** What an attempt means for the endpoint. */
export type HealthEffect = {
  succeeded: boolean;
  failedForGood: boolean;
  disable: DisabledReason | undefined;
};

export type Settled = { settlement: Settlement; effect: HealthEffect };

type Facts = { startedAt: Date; latencyMs: number; now: Date; random: number };

/** Decides what becomes of a delivery and its endpoint after an attempt. */
export function settle(delivery: ClaimedDelivery, outcome: Outcome, facts: Facts): Settled {
  if (outcome.kind === "given_up") {
    return { settlement: { ...unchanged(delivery), runAt: facts.now }, effect: none };
  }
  if (outcome.kind === "own_fault") return { settlement: afterOwnFault(delivery, facts), effect: none };
  if (outcome.kind === "answered") return afterAnswer(delivery, facts, outcome);
  return afterFailure(delivery, facts, {
    made: madeAttempt(delivery, facts, { httpStatus: null, error: outcome.error, response: null }),
    askedMs: undefined,
    disable: outcome.error === "not_public" ? "non_public_target" : undefined,
  });
}

const none: HealthEffect = { succeeded: false, failedForGood: false, disable: undefined };

function afterAnswer(delivery: ClaimedDelivery, facts: Facts, outcome: Outcome & { kind: "answered" }): Settled {
  const { status, response } = outcome;
  const error = answerError(status);
  const made = madeAttempt(delivery, facts, { httpStatus: status, error, response });
  if (error !== null) {
    return afterFailure(delivery, facts, {
      made,
      askedMs: status === 429 || status === 503 ? retryAfterMs(outcome.retryAfter, facts.now) : undefined,
      disable: status === 410 ? "gone" : undefined,
    });
  }
  const attempt = delivery.resend ? delivery.attempt : delivery.attempt + 1;
  return {
    settlement: {
      ...unchanged(delivery),
      status: "delivered",
      attempt,
      runAt: null,
      ownFaults: 0,
      finishedAt: delivery.status === "delivered" ? delivery.finishedAt : facts.now,
      made,
    },
    effect: { ...none, succeeded: true },
  };
}

type Failure = { made: MadeAttempt; askedMs: number | undefined; disable: DisabledReason | undefined };

function afterFailure(delivery: ClaimedDelivery, facts: Facts, { made, askedMs, disable }: Failure): Settled {
  // One that was asked for leaves the schedule as it was.
  if (delivery.resend) {
    const settlement = { ...unchanged(delivery), runAt: delivery.scheduledAt, ownFaults: 0, made };
    return { settlement, effect: { ...none, disable } };
  }
  const attempt = delivery.attempt + 1;
  const delayMs = retryDelayMs(attempt, facts.random, askedMs);
  if (delayMs === undefined) {
    return {
      settlement: { ...unchanged(delivery), status: "failed", attempt, runAt: null, finishedAt: facts.now, made },
      effect: { succeeded: false, failedForGood: true, disable },
    };
  }
  const lengthenedMs = Math.max(0, delayMs - (retryDelaysMs[attempt - 1] ?? 0));
  return {
    settlement: {
      ...unchanged(delivery),
      attempt,
      runAt: later(facts.now, delayMs),
      ownFaults: 0,
      scheduleEndsAt: later(delivery.scheduleEndsAt, lengthenedMs),
      made,
    },
    effect: { ...none, disable },
  };
}

function afterOwnFault(delivery: ClaimedDelivery, { now }: Facts): Settlement {
  if (!ownFaultsMayGoOn(delivery.scheduleEndsAt, now)) {
    const status = delivery.status === "pending" ? "terminated" : delivery.status;
    return { ...unchanged(delivery), status, runAt: null, finishedAt: delivery.finishedAt ?? now };
  }
  return {
    ...unchanged(delivery),
    runAt: later(now, ownFaultDelayMs(delivery.ownFaults)),
    ownFaults: delivery.ownFaults + 1,
  };
}

function unchanged(delivery: ClaimedDelivery): Settlement {
  const { id, leaseToken, status, attempt, ownFaults, scheduleEndsAt, finishedAt } = delivery;
  return { id, leaseToken, status, attempt, runAt: null, ownFaults, scheduleEndsAt, finishedAt, made: undefined };
}

function madeAttempt(
  delivery: ClaimedDelivery,
  { startedAt, latencyMs }: Facts,
  answer: Pick<MadeAttempt, "httpStatus" | "error" | "response">,
): MadeAttempt {
  return {
    position: delivery.attemptsMade + 1,
    number: attemptNumber(delivery),
    resend: delivery.resend,
    secretVersion: delivery.secretVersion,
    startedAt,
    latencyMs,
    ...answer,
  };
}

function answerError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "redirected";
  return status === 410 ? "gone" : "bad_status";
}

function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
