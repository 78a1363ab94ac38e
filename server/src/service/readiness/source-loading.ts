import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../platform/log.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source } from "../../sources/source.ts";

/** Loads what the first search would wait for. Until that is done the process is not ready. */
export type Warming = {
  /** The name of the source that is still loading. */
  pending(): string | undefined;
  start(source: Source | undefined): void;
  /** The same selection. A source that it picks later for the first time, as the catalog after a first import, loads too. */
  follow(sources: SourceSelection): SourceSelection;
  stop(): void;
};

const retryMs = 1_000;

/** A load that failed, for want of file descriptors or of memory, is tried again until it succeeds. */
export function createWarming({ log }: { log: Log }): Warming {
  const stopping = new AbortController();
  const met = new Set<string>();
  let hasStarted = false;
  let pending: string | undefined;

  async function load(name: string, warm: (signal: AbortSignal) => Promise<void>) {
    while (!stopping.signal.aborted) {
      try {
        return await warm(stopping.signal);
      } catch (error) {
        log.warn({ source: name, error: (error as Error).message }, "source.load_failed");
        await sleep(retryMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  async function meet({ name, warm }: Source) {
    if (!warm || met.has(name)) return;
    met.add(name);
    await load(name, warm);
  }

  return {
    pending: () => pending,
    start(source) {
      hasStarted = true;
      if (!source?.warm) return;
      pending = source.name;
      void meet(source).finally(() => (pending = undefined));
    },
    follow: ({ pick }) => ({
      async pick(purpose, query) {
        const source = await pick(purpose, query);
        if (hasStarted && source) void meet(source);
        return source;
      },
    }),
    stop: () => stopping.abort(),
  };
}
