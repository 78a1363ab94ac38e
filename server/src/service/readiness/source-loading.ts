import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../platform/log.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source } from "../../sources/source.ts";

/** Loads the data that the first search would wait for. Until then the process is not ready. */
export type SourceLoading = {
  /** The name of the source that is still loading. */
  pending(): string | undefined;
  start(source: Source | undefined): void;
  /** The same selection. It also loads a source that is first picked later, as the catalog after a first import. */
  follow(sources: SourceSelection): SourceSelection;
  stop(): void;
};

const retryMs = 1_000;

/** Retries a load that fails, as for lack of memory or file descriptors, until it succeeds. */
export function createSourceLoading({ log }: { log: Log }): SourceLoading {
  const stopping = new AbortController();
  const known = new Set<string>();
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

  async function loadOnce({ name, warm }: Source) {
    if (!warm || known.has(name)) return;
    known.add(name);
    await load(name, warm);
  }

  return {
    pending: () => pending,
    start(source) {
      hasStarted = true;
      if (!source?.warm) return;
      pending = source.name;
      void loadOnce(source).finally(() => (pending = undefined));
    },
    follow: ({ pick, ready }) => ({
      ready,
      async pick(purpose, query) {
        const source = await pick(purpose, query);
        if (hasStarted && source) void loadOnce(source);
        return source;
      },
    }),
    stop: () => stopping.abort(),
  };
}
