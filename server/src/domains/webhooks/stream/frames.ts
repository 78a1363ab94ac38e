import { deliveryHeaders, type SigningSecret } from "../events/signature.ts";
import type { StoredEvent } from "./store.ts";

/** The only version of a stream's secret: the secret lives as long as the stream. */
const secretVersion = 1;
const reconnectMs = 1_000;

export const heartbeatFrame = ": heartbeat\n\n";

/** The first frame: the secret that signs the events of this stream. */
export function openedFrame(secret: string): string {
  const data = JSON.stringify({ secret, secret_version: secretVersion });
  return `retry: ${reconnectMs}\nevent: stream.opened\ndata: ${data}\n\n`;
}

/** An event as a delivery would carry it: the signed headers and the exact body. */
export function eventFrame({ id, type, sequence, body }: StoredEvent, secret: SigningSecret, now: Date): string {
  const headers = deliveryHeaders({ eventId: id, sequence, attempt: 1, body, secret, secretVersion }, now);
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ headers, body })}\n\n`;
}
