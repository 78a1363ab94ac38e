import type { Log } from "../platform/log.ts";
import type { Meters } from "../platform/meters.ts";
import type { ClockCheck } from "../platform/postgres/clock-check.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import type { Tracing } from "../platform/tracing.ts";
import type { Loop } from "./loops.ts";
import { type Runner, startRunner, type WorkQueue } from "./runner.ts";
import { startLoops } from "./scheduler.ts";

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
};

const usualPollMs = 1_000;

/** All background work of this process: queues and loops. */
export function startWorkers({ loops, clockCheck, meters, ...rest }: WorkersDeps): Runner {
  const scheduler = startLoops({ loops, clockCheck, log: rest.log, meters });
  const queues = startQueues(rest);
  return {
    async stop() {
      await queues.stop();
      await scheduler.stop();
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
