import { timeOfUuid } from "../../../platform/ids.ts";
import type { Meters } from "../../../platform/meters.ts";
import type { AttemptResult } from "./attempt.ts";
import type { ClaimedDelivery } from "./store.ts";

/** Counts attempts by the class of their outcome, and measures how long events waited for their first. */
export function createAttemptMeter({ counter, histogram }: Meters) {
  const attempts = counter("waypost_delivery_attempts_total", "Attempts to deliver webhooks, by what came of them.", [
    "class",
  ]);
  const lag = histogram(
    "waypost_delivery_lag_seconds",
    "Time from an event to the beginning of its first delivery attempt.",
    [],
    [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
  );
  return ({ uuid, attemptsMade }: ClaimedDelivery, result: AttemptResult, startedAt: Date) => {
    attempts({ class: classOf(result) });
    if (attemptsMade === 0) lag({}, Math.max(0, startedAt.getTime() - timeOfUuid(uuid)) / 1_000);
  };
}

function classOf(result: AttemptResult): string {
  if (result.kind === "responded") return `${Math.floor(result.status / 100)}xx`;
  return result.kind === "failed" ? result.error : result.kind;
}
