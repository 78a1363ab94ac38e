import { isWaypostError } from "./errors.ts";
import { backoffMs } from "./retry.ts";
import { type Frame, framesOf } from "./sse.ts";
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

// The service sends a comment every 15 seconds.
const silenceMs = 45_000;
const rememberedIdsMax = 1_000;

export function createEvents({ stream: open, sleep }: Transport) {
  /**
   * The organization's events as they happen, for development: no public address is needed. A lost connection is
   * opened again, after the last event seen. Needs a live key.
   */
  async function* stream(options: EventStreamOptions = {}): AsyncGenerator<StreamedEvent> {
    const { signal, onOpen, onDisconnect } = options;
    const recent = createRecentIds();
    let lastEventId = options.lastEventId;
    let wasOpen = false;
    for (let failures = 0; ; failures += 1) {
      let reason: unknown;
      try {
        const headers = { Accept: "text/event-stream", ...(lastEventId ? { "Last-Event-ID": lastEventId } : {}) };
        const call = { method: "GET", path: "/events/stream", headers } as const;
        const { chunks } = await open(call, { signal, idleMs: silenceMs, maxRetries: 0 });
        let secret = "";
        for await (const frame of framesOf(chunks)) {
          failures = 0;
          if (frame.event === "stream.opened") {
            ({ secret } = JSON.parse(frame.data ?? "{}") as { secret: string });
            wasOpen = true;
            onOpen?.({ secret });
          } else if (frame.id && recent.isNew(frame.id)) {
            lastEventId = frame.id;
            yield readEvent(frame, secret);
          }
        }
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

function readEvent({ data = "" }: Frame, secret: string): StreamedEvent {
  const { headers, body } = JSON.parse(data) as { headers: Record<string, string>; body: string };
  return { event: JSON.parse(body) as WebhookEvent, headers, body, secret };
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
