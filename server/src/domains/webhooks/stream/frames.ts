import { newSecret } from "../endpoints/secret.ts";
import { deliveryHeaders, signingSecret } from "../events/signature.ts";
import type { StoredEvent } from "./store.ts";

/** The only version of a stream's secret: the secret lives as long as the stream. */
const secretVersion = 1;
const reconnectMs = 1_000;

export const heartbeatFrame = ": heartbeat\n\n";

/** How a stream writes its beginning and its events. */
export type StreamFrames = { opened: string; ofEvent(event: StoredEvent, now: Date): string };

/** Events as deliveries carry them, signed headers and exact body, under a secret that the first frame has. */
export function signedFrames(): StreamFrames {
  const text = newSecret();
  const secret = signingSecret(text);
  const data = JSON.stringify({ secret: text, secret_version: secretVersion });
  return {
    opened: `retry: ${reconnectMs}\nevent: stream.opened\ndata: ${data}\n\n`,
    ofEvent({ id, type, sequence, body }, now) {
      const headers = deliveryHeaders({ eventId: id, sequence, attempt: 1, body, secret, secretVersion }, now);
      return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ headers, body })}\n\n`;
    },
  };
}

/** The bodies alone, for readers whose session vouches for the service. */
export const plainFrames: StreamFrames = {
  opened: `retry: ${reconnectMs}\n\n`,
  ofEvent: ({ id, type, body }) => `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`,
};
