import {
  mayRetryOwnFault,
  ownFaultDelayMs,
  retryAfterMs,
  retryDelayMs,
  retryDelaysMs,
} from "../deliveries/schedule.ts";
import type { DisabledReason } from "../endpoints/endpoint.ts";
import { attemptNumber, type AttemptResult } from "./attempt.ts";
import type { ClaimedDelivery, DeliveryUpdate, NewAttempt } from "./store.ts";

/** What an attempt does to its endpoint's health. */
export type HealthEffect = {
  succeeded: boolean;
  failedTerminally: boolean;
  disable: DisabledReason | undefined;
};

export type AttemptOutcome = { update: DeliveryUpdate; health: HealthEffect };

type Facts = { startedAt: Date; latencyMs: number; now: Date; random: number };

/** Decides the next state of a delivery and of its endpoint's health after an attempt. */
export function decideOutcome(delivery: ClaimedDelivery, result: AttemptResult, facts: Facts): AttemptOutcome {
  if (result.kind === "aborted") {
    return { update: { ...unchanged(delivery), runAt: facts.now }, health: noEffect };
  }
  if (result.kind === "own_fault") return { update: afterOwnFault(delivery, facts), health: noEffect };
  if (result.kind === "responded") return afterResponse(delivery, facts, result);
  return afterFailure(delivery, facts, {
    attempt: newAttempt(delivery, facts, { httpStatus: null, error: result.error, response: null }),
    retryAfter: undefined,
    disable: result.error === "not_public" ? "non_public_target" : undefined,
  });
}

const noEffect: HealthEffect = { succeeded: false, failedTerminally: false, disable: undefined };

function afterResponse(
  delivery: ClaimedDelivery,
  facts: Facts,
  { status, response, retryAfter }: AttemptResult & { kind: "responded" },
): AttemptOutcome {
  const error = statusError(status);
  const attempt = newAttempt(delivery, facts, { httpStatus: status, error, response });
  if (error !== null) {
    return afterFailure(delivery, facts, {
      attempt,
      retryAfter: status === 429 || status === 503 ? retryAfterMs(retryAfter, facts.now) : undefined,
      disable: status === 410 ? "gone" : undefined,
    });
  }
  return {
    update: {
      ...unchanged(delivery),
      status: "delivered",
      attempt: delivery.resend ? delivery.attempt : delivery.attempt + 1,
      runAt: null,
      ownFaults: 0,
      finishedAt: delivery.status === "delivered" ? delivery.finishedAt : facts.now,
      newAttempt: attempt,
    },
    health: { ...noEffect, succeeded: true },
  };
}

type Failure = { attempt: NewAttempt; retryAfter: number | undefined; disable: DisabledReason | undefined };

function afterFailure(delivery: ClaimedDelivery, facts: Facts, failure: Failure): AttemptOutcome {
  const { attempt: made, retryAfter, disable } = failure;
  // A resend leaves the schedule as it was.
  if (delivery.resend) {
    const update = { ...unchanged(delivery), runAt: delivery.scheduledAt, ownFaults: 0, newAttempt: made };
    return { update, health: { ...noEffect, disable } };
  }
  const attempt = delivery.attempt + 1;
  const delayMs = retryDelayMs(attempt, facts.random, retryAfter);
  if (delayMs === undefined) {
    return {
      update: {
        ...unchanged(delivery),
        status: "failed",
        attempt,
        runAt: null,
        finishedAt: facts.now,
        newAttempt: made,
      },
      health: { succeeded: false, failedTerminally: true, disable },
    };
  }
  const lengthenedMs = Math.max(0, delayMs - (retryDelaysMs[attempt - 1] ?? 0));
  return {
    update: {
      ...unchanged(delivery),
      attempt,
      runAt: later(facts.now, delayMs),
      ownFaults: 0,
      scheduleEndsAt: later(delivery.scheduleEndsAt, lengthenedMs),
      newAttempt: made,
    },
    health: { ...noEffect, disable },
  };
}

function afterOwnFault(delivery: ClaimedDelivery, { now }: Facts): DeliveryUpdate {
  if (!mayRetryOwnFault(delivery, now)) {
    const status = delivery.status === "pending" ? "terminated" : delivery.status;
    return { ...unchanged(delivery), status, runAt: null, finishedAt: delivery.finishedAt ?? now };
  }
  return {
    ...unchanged(delivery),
    runAt: later(now, ownFaultDelayMs(delivery.ownFaults)),
    ownFaults: delivery.ownFaults + 1,
  };
}

function unchanged(delivery: ClaimedDelivery): DeliveryUpdate {
  const { uuid: id, leaseToken, status, attempt, ownFaults, scheduleEndsAt, finishedAt } = delivery;
  return { id, leaseToken, status, attempt, runAt: null, ownFaults, scheduleEndsAt, finishedAt, newAttempt: undefined };
}

function newAttempt(
  delivery: ClaimedDelivery,
  { startedAt, latencyMs }: Facts,
  response: Pick<NewAttempt, "httpStatus" | "error" | "response">,
): NewAttempt {
  return {
    position: delivery.attemptsMade + 1,
    number: attemptNumber(delivery),
    resend: delivery.resend,
    secretVersion: delivery.secretVersion,
    startedAt,
    latencyMs,
    ...response,
  };
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "redirected";
  return status === 410 ? "gone" : "bad_status";
}

function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
