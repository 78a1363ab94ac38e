import { type Outbound, OutboundFailure } from "../../../platform/net/outbound.ts";
import { attemptsMax, responseBytesMax } from "../deliveries/delivery.ts";
import type { ClaimedDelivery } from "./store.ts";
import type { SecretCache } from "./secret-cache.ts";
import { deliveryHeaders } from "../events/signature.ts";

/** How an attempt went. Only *answered* and *failed* use it up. */
export type Outcome =
  | { kind: "answered"; status: number; retryAfter: string | undefined; response: string }
  /** Nothing came back that counts as an answer, and it was not our doing. */
  | { kind: "failed"; error: string }
  | { kind: "own_fault"; error: string; cause: unknown }
  /** Given up half-way, because we are stopping or the secret was revoked. */
  | { kind: "given_up" };

type AttemptDeps = { secrets: SecretCache; outbound: Outbound; ports: readonly number[]; deadlineMs: number };

/** The number an attempt says in its header. One that was asked for repeats the last of the seven. */
export function attemptNumber({ attempt, resend }: Pick<ClaimedDelivery, "attempt" | "resend">): number {
  return resend ? Math.max(attempt, 1) : Math.min(attempt + 1, attemptsMax);
}

/** Signs and sends a delivery once. */
export async function makeAttempt(
  { secrets, outbound, ports, deadlineMs }: AttemptDeps,
  delivery: ClaimedDelivery,
  now: Date,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const headers = deliveryHeaders(
      {
        eventId: delivery.id,
        sequence: delivery.sequence,
        attempt: attemptNumber(delivery),
        body: delivery.body,
        secret: await secrets.open(delivery),
        secretVersion: delivery.secretVersion,
      },
      now,
    );
    const {
      status,
      headers: answered,
      body,
    } = await outbound.request({
      url: delivery.url,
      method: "POST",
      headers,
      body: delivery.body,
      deadlineMs,
      bytesMax: responseBytesMax,
      signal,
      redirectsMax: 0,
      protocols: ["https:"],
      ports,
      keepAlive: true,
    });
    return { kind: "answered", status, retryAfter: answered["retry-after"], response: readable(body) };
  } catch (error) {
    return outcomeOf(error);
  }
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof OutboundFailure)) return { kind: "own_fault", error: "internal_error", cause: error };
  const { reason } = error;
  if (reason === "aborted") return { kind: "given_up" };
  if (reason === "resolver_failed") return { kind: "own_fault", error: reason, cause: error };
  return { kind: "failed", error: reason };
}

/** The answer as text that a database can keep: PostgreSQL refuses the character of code 0. */
function readable(body: Buffer): string {
  const text = body.subarray(0, responseBytesMax).toString("utf8").replaceAll("\0", "\uFFFD");
  // What is not UTF-8 grows when it is replaced: one byte becomes the three of U+FFFD.
  return Buffer.byteLength(text) <= responseBytesMax
    ? text
    : Buffer.from(text)
        .subarray(0, responseBytesMax)
        .toString("utf8")
        .replace(/\uFFFD$/, "");
}
