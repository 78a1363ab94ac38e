import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { overlapMs } from "./endpoints/secret.ts";
import { deleteDrainedSecrets } from "./endpoints/secret-store.ts";
import { deleteOldEvents, terminateWaitingTooLong } from "./upkeep-store.ts";

const everyMs = 60_000;
const batch = 1_000;
const keptMs = 30 * 24 * 3_600_000;

/** What time brings about by itself: secrets retire, waiting comes to an end, old events go. */
export function createUpkeep({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const now = clock.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    while ((await terminateWaitingTooLong(db, now, batch)) === batch);
    while ((await deleteDrainedSecrets(db, before(overlapMs), batch)) === batch);
    while ((await deleteOldEvents(db, before(keptMs), batch)) === batch);
  }

  function start() {
    timer = setInterval(() => {
      running ??= run()
        .catch((error: unknown) => log.error({ err: error }, "webhook.upkeep_failed"))
        .finally(() => (running = undefined));
    }, everyMs);
  }

  async function stop() {
    clearInterval(timer);
    await running;
  }

  return { run, start, stop };
}
