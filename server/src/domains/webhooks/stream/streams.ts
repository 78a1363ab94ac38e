import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import { firstUuidAt, uuidFromId } from "../../../platform/ids.ts";
import type { Log } from "../../../platform/log.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { StreamLimitReached } from "./errors.ts";
import { heartbeatFrame, signedFrames, type StreamFrames } from "./frames.ts";
import { listEventsFrom, listEventsOf } from "./store.ts";

/** Where the frames of a stream go. */
export type StreamSink = {
  write(frame: string): void;
  bufferedBytes(): number;
  /** Aborts when the reader has gone. */
  closed: AbortSignal;
  end(): void;
  /** Ends without waiting for the reader. */
  cut(): void;
};

export type StreamRequest = {
  organizationId: string;
  /** The id of the last event the reader has seen. */
  lastEventId: string | undefined;
  /** Whether the key that opened the stream may still read it. */
  isAllowed(): Promise<boolean>;
  /** How events are written; signed as deliveries are, unless something else is wanted. */
  frames?: StreamFrames;
  sink: StreamSink;
};

export type StreamLimits = {
  /** Per organization and process. */
  streamsMax: number;
  pollMs: number;
  heartbeatMs: number;
  /** How long a reader may leave what was sent unread. */
  stalledMs: number;
};

const standardLimits: StreamLimits = {
  streamsMax: 5,
  pollMs: 250,
  heartbeatMs: 15_000,
  stalledMs: 30_000,
};

/** An event whose transaction takes longer than this to commit is not streamed. */
const commitWindowMs = 60_000;
/** A page of the largest events, and what may wait before it is read, stay under a megabyte. */
const pageMax = 50;
const bufferedBytesMax = 64_000;
const historyMax = 200;

type StreamsDeps = { db: Queryable; clock: Clock; log: Log; limits?: Partial<StreamLimits> };

/**
 * Sends an organization's events to readers without a public address, as they are committed. Each
 * stream polls the events table: ids are ordered by time, but transactions commit in another order,
 * so a poll reads the whole commit window again and leaves out what it has sent.
 */
export function createEventStreams({ db, clock, log, ...rest }: StreamsDeps) {
  const limits = { ...standardLimits, ...rest.limits };
  const open = new Map<StreamSink, { organizationId: string; done: Promise<void> }>();
  const stopping = new AbortController();

  /** Throws when the organization has too many streams; otherwise the stream runs until one side ends it. */
  function start(request: StreamRequest): void {
    const { organizationId, sink } = request;
    const count = [...open.values()].filter((stream) => stream.organizationId === organizationId).length;
    if (stopping.signal.aborted || count >= limits.streamsMax)
      throw StreamLimitReached({ streamsMax: limits.streamsMax });
    const done = run(request)
      .catch((error: unknown) => {
        log.error({ organization_id: organizationId, err: error }, "event_stream.failed");
        sink.cut();
      })
      .finally(() => open.delete(sink));
    open.set(sink, { organizationId, done });
  }

  async function run({ organizationId, lastEventId, isAllowed, sink, ...request }: StreamRequest): Promise<void> {
    const frames = request.frames ?? signedFrames();
    const sentIds = new Set(lastEventId === undefined ? [] : [lastEventId]);
    let fromId = lastEventId === undefined ? firstUuidAt(clock.now()) : firstUuidInSameMs(lastEventId);
    let beatAt = performance.now();
    let behindSince: number | undefined;
    sink.write(frames.opened);

    while (!sink.closed.aborted && !stopping.signal.aborted) {
      const now = performance.now();
      if (now - beatAt >= limits.heartbeatMs) {
        beatAt = now;
        if (!(await isAllowed())) break;
        sink.write(heartbeatFrame);
      }
      const isBehind = sink.bufferedBytes() > bufferedBytesMax;
      behindSince = isBehind ? (behindSince ?? now) : undefined;
      if (behindSince !== undefined && now - behindSince >= limits.stalledMs) return sink.cut();

      const read = isBehind ? undefined : await readPage();
      const page = read ?? [];
      // The next beat may be seconds away, and a revoked key hears of nothing from then on.
      if (page.length > 0 && !(await isAllowed())) break;
      for (const event of page.toSorted(byChange)) {
        sink.write(frames.ofEvent(event, clock.now()));
        sentIds.add(event.id);
      }
      // Only past what was read: a reader that resumes may have missed more than a commit window.
      if (read) fromId = nextFrom(fromId, page.length === pageMax ? page.at(-1)?.id : undefined);
      for (const id of sentIds) if (id < fromId) sentIds.delete(id);
      if (page.length < pageMax) await sleep(limits.pollMs, undefined, { signal: sink.closed }).catch(() => undefined);
    }
    sink.end();

    /** Undefined when the database could not be read. */
    async function readPage() {
      try {
        return await listEventsFrom(db, organizationId, { fromId, exceptIds: [...sentIds], limit: pageMax });
      } catch (error) {
        log.warn({ organization_id: organizationId, err: error }, "event_stream.read_failed");
        return undefined;
      }
    }
  }

  /** Moves on past a full page, but not into the commit window, which is read again until it has passed. */
  function nextFrom(fromId: string, lastOfFullPage: string | undefined): string {
    const windowStart = firstUuidAt(new Date(clock.now().getTime() - commitWindowMs));
    const next = lastOfFullPage !== undefined && lastOfFullPage < windowStart ? lastOfFullPage : windowStart;
    return next > fromId ? next : fromId;
  }

  /** Ends every stream; their readers resume elsewhere. */
  async function stop(): Promise<void> {
    stopping.abort();
    for (const sink of open.keys()) sink.end();
    await Promise.all([...open.values()].map(({ done }) => done));
  }

  /** The recorded events of one job or collection; none where the id names nothing. */
  async function history(organizationId: string, resourceId: string) {
    const uuid = uuidFromId("job", resourceId) ?? uuidFromId("col", resourceId);
    const events = uuid === undefined ? [] : await listEventsOf(db, organizationId, uuid, historyMax);
    return events.map(({ createdAt, hasDelivery, body, ...event }) => ({
      ...event,
      has_delivery: hasDelivery,
      result_count: (JSON.parse(body) as { data: { result_count: number | null } }).data.result_count,
      created_at: createdAt.toISOString(),
    }));
  }

  return { start, stop, history, count: () => open.size };
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/** Ids of one millisecond are in no order, so resuming begins with the millisecond of the last one. */
function firstUuidInSameMs(id: string): string {
  return firstUuidAt(new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)));
}

function byChange(one: { createdAt: Date; sequence: number }, other: { createdAt: Date; sequence: number }): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || one.sequence - other.sequence;
}
