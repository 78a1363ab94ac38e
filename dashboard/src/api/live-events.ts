import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { read } from "./client.ts";

type Resource = { type: string };
type Heard = { resource: Resource; data: { job_id?: string; collection_id?: string; export_id?: string } };

const calmMs = 15_000;
const flushMs = 250;
const reopenMs = 5_000;

let isStreaming = false;

/** How often to read what may change: seldom while the service tells of changes, which it does for live ones. */
export function pollMs(environment: string, ms: number): number {
  return environment === "live" && isStreaming ? calmMs : ms;
}

/**
 * Follows the organization's events and reads again what they are about. One tab holds the stream and
 * tells the others, because browsers open six connections to a host and no more. Where tabs cannot agree
 * on one (locks need a secure context), nobody streams and the pages poll.
 */
export function useLiveEvents(organizationId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!("locks" in navigator)) return undefined;
    const name = `waypost.events/${organizationId}`;
    const gone = new AbortController();
    const channel = new BroadcastChannel(name);
    const invalidate = createInvalidation(queryClient);
    channel.addEventListener("message", ({ data }: MessageEvent<Heard | "opened" | "lost">) => hear(data));
    navigator.locks
      .request(name, { signal: gone.signal }, () =>
        stream(gone.signal, (heard) => {
          hear(heard);
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
          if (!gone.signal.aborted) channel.postMessage(heard);
        }),
      )
      .catch(() => undefined); // this tab is gone, and another one has the stream
    return () => {
      gone.abort();
      channel.close();
      isStreaming = false;
    };

    function hear(heard: Heard | "opened" | "lost") {
      isStreaming = heard !== "lost";
      // Whatever happened before the stream opened is not told again.
      if (heard === "opened") void queryClient.invalidateQueries({ refetchType: "active" });
      else if (heard !== "lost") invalidate(heard);
    }
  }, [organizationId, queryClient]);
}

/** Holds the stream until the signal is aborted; the browser resumes after the last event it has seen. */
function stream(signal: AbortSignal, tell: (heard: Heard | "opened" | "lost") => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const types = ["started", "progress", "completed", "failed", "canceled"].map((each) => `scrape.${each}`);
    function open() {
      source = new EventSource("/console/api/events");
      source.addEventListener("open", () => tell("opened"));
      for (const type of [...types, "export.ready"]) {
        source.addEventListener(type, ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as Heard));
      }
      source.addEventListener("error", () => {
        tell("lost");
        if (source?.readyState !== EventSource.CLOSED) return;
        // A refused stream stays closed. Reading the session tells an ended one from a service that is away.
        timer = setTimeout(() => void read("/session").then(open, open), reopenMs);
      });
    }
    open();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      source?.close();
      resolve();
    });
  });
}

/** Reads again what the events of a moment are about, once for all of them. */
function createInvalidation(queryClient: QueryClient) {
  const keys = new Map<string, readonly string[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return ({ resource, data }: Heard) => {
    for (const key of keysOf(resource, data)) keys.set(key.join("/"), key);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const queryKey of keys.values()) void queryClient.invalidateQueries({ queryKey });
      keys.clear();
    }, flushMs);
  };
}

function keysOf({ type }: Resource, { job_id: jobId = "", collection_id: collectionId = "" }: Heard["data"]) {
  if (type === "export") return [["exports", "live"]];
  if (type === "collection") {
    return [
      ["collections", "live"],
      ...["collection", "coverage", "events"].map((each) => [each, "live", collectionId]),
    ];
  }
  return [["scrapes", "live"], ...["scrape", "results", "events"].map((each) => [each, "live", jobId])];
}
