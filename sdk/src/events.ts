import { isWaypostError } from "./errors.ts";
import { backoffMs } from "./retry.ts";
import { hasShape } from "./shape.ts";
import { brokenStream, type Frame, framesOf } from "./sse.ts";
import type { Transport } from "./transport.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** An event as a delivery would carry it. */
export type StreamedEvent = {
  event: WebhookEvent;
  /** The headers of a delivery, signed under `secret`. */
  headers: Record<string, string>;
  /** The exact body that was signed. */
  body: string;
  /** The secret of the connection it came on: each has its own. */
  secret: string;
};

export type EventStreamOptions = {
  /** Ends the stream; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The id of the last event seen: the stream goes on after it, up to an hour back. */
  lastEventId?: string | undefined;
  /** Hears of every connection, with its secret. */
  onOpen?: ((connection: { secret: string }) => void) | undefined;
  /** Hears of every connection that was lost, before the next one is tried. */
  onDisconnect?: ((reason: unknown) => void) | undefined;
};

const mediaType = "text/event-stream";
// The service sends a comment every 15 seconds.
const silenceMs = 45_000;
const rememberedIdsMax = 1_000;

export function createEvents({ stream: open, sleep }: Transport) {
  /**
   * The organization's events as they happen, for development: no public address is needed. A lost connection is
   * opened again, after the last event seen; something else that answers is an error. Needs a live key.
   */
  async function* stream(options: EventStreamOptions = {}): AsyncGenerator<StreamedEvent> {
    const { signal, onOpen, onDisconnect } = options;
    const recent = createRecentIds();
    let lastEventId = options.lastEventId;
    let wasOpen = false;
    for (let failures = 0; ; failures += 1) {
      let reason: unknown;
      try {
        const headers = { Accept: mediaType, ...(lastEventId ? { "Last-Event-ID": lastEventId } : {}) };
        const call = { method: "GET", path: "/events/stream", headers } as const;
        const { chunks } = await open(call, { signal, idleMs: silenceMs, maxRetries: 0, mediaType });
        let secret: string | undefined;
        for await (const frame of framesOf(chunks)) {
          failures = 0;
          if (frame.event === "stream.opened") {
            secret = readSecret(frame);
            wasOpen = true;
            onOpen?.({ secret });
          } else if (secret === undefined) {
            throw brokenStream();
          } else if (frame.id && recent.isNew(frame.id)) {
            lastEventId = frame.id;
            yield readEvent(frame, secret);
          }
        }
        if (!wasOpen) throw brokenStream();
      } catch (error) {
        if (!isPassing(error, wasOpen)) throw error;
        reason = error;
      }
      onDisconnect?.(reason);
      await sleep(backoffMs(failures), signal);
    }
  }

  return { stream };
}

export type Events = ReturnType<typeof createEvents>;

/** A stream that was open comes back: the service may restart, and may not have noticed yet that the old one is gone. */
function isPassing(error: unknown, wasOpen: boolean): boolean {
  return wasOpen && isWaypostError(error) && (error.retryable || error.code === "state_conflict");
}

function readSecret({ data }: Frame): string {
  const opened = parse(data);
  if (!hasShape(opened, { secret: "text" })) throw brokenStream();
  return (opened as { secret: string }).secret;
}

function readEvent({ data }: Frame, secret: string): StreamedEvent {
  const delivery = parse(data);
  if (!hasShape(delivery, { headers: {}, body: "text" })) throw brokenStream();
  const { headers, body } = delivery as { headers: Record<string, string>; body: string };
  const event = parse(body);
  if (!hasShape(event, { id: "text", type: "text" })) throw brokenStream();
  return { event: event as WebhookEvent, headers, body, secret };
}

function parse(data = ""): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw brokenStream(error);
  }
}

/** The latest ids: what is sent again after a reconnection is delivered once. */
function createRecentIds() {
  const ids = new Set<string>();
  function isNew(id: string): boolean {
    if (ids.has(id)) return false;
    ids.add(id);
    const [oldest] = ids;
    if (ids.size > rememberedIdsMax && oldest !== undefined) ids.delete(oldest);
    return true;
  }
  return { isNew };
}
