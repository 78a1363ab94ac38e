import type { Meters } from "../platform/meters.ts";
import type { Log } from "../platform/log.ts";
import type { ClockCheck } from "../platform/postgres/clock-check.ts";
import type { Loop } from "./loops.ts";

type SchedulerDeps = { loops: readonly Loop[]; clockCheck: ClockCheck; log: Log; meter: LoopMeter };

/** Runs each loop at its interval, some at the start too, and none twice at once. */
export function startLoops({ loops, clockCheck, log, meter }: SchedulerDeps): { stop(): Promise<void> } {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  function start(loop: Loop) {
    if (running.has(loop.name)) return;
    const run = runLoop(loop, { clockCheck, log, signal: stopping.signal, meter });
    running.set(
      loop.name,
      run.finally(() => running.delete(loop.name)),
    );
  }

  for (const loop of loops) if (loop.atStart) start(loop);
  const timers = loops.map((loop) => setInterval(start, loop.everyMs, loop));
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

type RunDeps = { clockCheck: ClockCheck; log: Log; signal: AbortSignal; meter?: LoopMeter };

/** Counts what loops did, and when each last ran to its end. */
export function createLoopMeter({ counter, gauge }: Meters) {
  const rows = counter("waypost_loop_rows_total", "Rows that a loop removed or refunded.", ["loop"]);
  const failures = counter(
    "waypost_loop_failures_total",
    "Runs of a loop that failed, or that a wrong clock forbade.",
    ["loop"],
  );
  const endedAt = new Map<string, number>();
  gauge("waypost_loop_last_success_timestamp_seconds", "When a loop last ran to its end.", ["loop"], () =>
    [...endedAt].map(([loop, value]) => ({ labels: { loop }, value })),
  );
  return {
    ended(loop: string, count: number) {
      rows({ loop }, count);
      endedAt.set(loop, Date.now() / 1_000);
    },
    failed: (loop: string) => failures({ loop }),
  };
}

type LoopMeter = ReturnType<typeof createLoopMeter>;

/**
 * Runs batches until one finds nothing, or until the next run is due. All loops remove or refund what
 * is old, so a process whose clock is wrong runs none: it says so and leaves them to others.
 */
export async function runLoop(
  { name, everyMs, runBatch }: Loop,
  { clockCheck, log, signal, meter }: RunDeps,
): Promise<void> {
  const startedAt = performance.now();
  let rows = 0;
  try {
    for (let found = 1; found > 0 && performance.now() - startedAt < everyMs && !signal.aborted; rows += found) {
      const { now, aheadMs, isTrusted } = await clockCheck.read();
      if (!isTrusted) {
        meter?.failed(name);
        return log.error({ loop: name, ahead_seconds: aheadMs / 1_000 }, "worker.clock_differs");
      }
      found = await runBatch(now);
    }
    meter?.ended(name, rows);
    if (rows > 0)
      log.info({ loop: name, rows, duration_ms: Math.round(performance.now() - startedAt) }, "worker.loop_ran");
  } catch (error) {
    meter?.failed(name);
    log.warn({ loop: name, rows, error: (error as Error).message }, "worker.loop_failed");
  }
}
