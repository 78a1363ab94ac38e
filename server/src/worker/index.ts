import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../platform/log.ts";
import type { Meters } from "../platform/meters.ts";
import type { ClockCheck } from "../platform/postgres/clock-check.ts";
import { heldSentence } from "../platform/postgres/held-work.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import type { Tracing } from "../platform/tracing.ts";
import type { Loop } from "./loops.ts";
import { type Runner, startRunner, type WorkQueue } from "./runner.ts";
import { createLoopMeter, startLoops } from "./scheduler.ts";

export { listLoops } from "./loops.ts";
export type { Runner, WorkQueue } from "./runner.ts";

type QueuesDeps = {
  queues: readonly WorkQueue[];
  notifications: Notifications;
  log: Log;
  tracing: Tracing;
  /** How often a queue is read although nobody notified us. */
  pollMs?: number;
};

type WorkersDeps = QueuesDeps & {
  loops: readonly Loop[];
  clockCheck: ClockCheck;
  meters: Meters;
  /** What keeps work from starting: a restore that nobody has resumed, or that may still come, into an empty database. */
  readHold(): Promise<"restored" | "empty" | undefined>;
};

const usualPollMs = 1_000;
const holdPollMs = 500;

/** All background work of this process: queues and loops, as soon as nothing holds it. */
export function startWorkers({ loops, clockCheck, meters, readHold, ...rest }: WorkersDeps): Runner {
  const { log } = rest;
  const meter = createLoopMeter(meters);
  const stopping = new AbortController();
  const started = start();

  async function start(): Promise<Runner[]> {
    if (!(await released())) return [];
    return [startQueues(rest), startLoops({ loops, clockCheck, log, meter })];
  }

  /** False when the process stops before. */
  async function released(): Promise<boolean> {
    let isHeld = false;
    while (!stopping.signal.aborted) {
      const hold = await readHold().catch(() => "unknown");
      if (hold === undefined) return true;
      if (hold === "restored" && !isHeld) {
        isHeld = true;
        log.warn({ reason: heldSentence }, "worker.held");
      }
      await sleep(holdPollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return false;
  }

  return {
    async stop() {
      stopping.abort();
      for (const each of await started) await each.stop();
    },
  };
}

export function startQueues({ queues, notifications, log, tracing, pollMs = usualPollMs }: QueuesDeps): Runner {
  const runners = queues.map((queue) => startRunner({ queue, notifications, log, tracing, pollMs }));
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
