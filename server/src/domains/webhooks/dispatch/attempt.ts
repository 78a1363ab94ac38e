import { type Outbound, OutboundFailure } from "../../../platform/net/outbound.ts";
import { responseBodyMs, responseBytesMax } from "../deliveries/delivery.ts";
import { attemptsMax } from "../deliveries/schedule.ts";
import { deliveryHeaders } from "../events/signature.ts";
import type { SecretCache } from "./secret-cache.ts";
import type { ClaimedDelivery } from "./store.ts";

/** How an attempt went. Only *responded* and *failed* count against the schedule. */
export type AttemptResult =
  | { kind: "responded"; status: number; retryAfter: string | undefined; response: string }
  /** The receiver sent no usable response, through no fault of ours. */
  | { kind: "failed"; error: string }
  | { kind: "own_fault"; error: string; cause: unknown }
  /** Stopped half-way, because the process stops or the secret was revoked. */
  | { kind: "aborted" };

type AttemptDeps = { secrets: SecretCache; outbound: Outbound; ports: readonly number[]; deadlineMs: number };

/** The number in the attempt header. A resend repeats the number of the last scheduled attempt. */
export function attemptNumber({ attempt, resend }: Pick<ClaimedDelivery, "attempt" | "resend">): number {
  return resend ? Math.max(attempt, 1) : Math.min(attempt + 1, attemptsMax);
}

/** Signs and sends a delivery once. */
export async function makeAttempt(
  { secrets, outbound, ports, deadlineMs }: AttemptDeps,
  delivery: ClaimedDelivery,
  now: Date,
  signal: AbortSignal,
): Promise<AttemptResult> {
  try {
    const headers = deliveryHeaders(
      {
        eventId: delivery.uuid,
        sequence: delivery.sequence,
        attempt: attemptNumber(delivery),
        body: delivery.body,
        secret: await secrets.open(delivery),
        secretVersion: delivery.secretVersion,
      },
      now,
    );
    const response = await outbound.request({
      url: delivery.url,
      method: "POST",
      // The receiver is the customer's own: the trace may go on there.
      headers: delivery.traceparent === null ? headers : { ...headers, traceparent: delivery.traceparent },
      body: delivery.body,
      deadlineMs,
      bodyMs: responseBodyMs,
      bytesMax: responseBytesMax,
      signal,
      redirectsMax: 0,
      protocols: ["https:"],
      ports,
      keepAlive: true,
    });
    const retryAfter = response.headers["retry-after"];
    return { kind: "responded", status: response.status, retryAfter, response: storableText(response.body) };
  } catch (error) {
    return resultOf(error);
  }
}

function resultOf(error: unknown): AttemptResult {
  if (!(error instanceof OutboundFailure)) return { kind: "own_fault", error: "internal_error", cause: error };
  const { reason } = error;
  if (reason === "aborted") return { kind: "aborted" };
  if (error.isOurs) return { kind: "own_fault", error: reason, cause: error };
  return { kind: "failed", error: reason };
}

/** The response as text that PostgreSQL can store: it refuses NUL. */
function storableText(body: Buffer): string {
  const text = body.subarray(0, responseBytesMax).toString("utf8").replaceAll("\0", "\uFFFD");
  // Invalid UTF-8 grows when it is replaced: one byte becomes the three of U+FFFD.
  return Buffer.byteLength(text) <= responseBytesMax
    ? text
    : Buffer.from(text)
        .subarray(0, responseBytesMax)
        .toString("utf8")
        .replace(/\uFFFD$/, "");
}
