import { createBatcher } from "../../platform/batcher.ts";
import type { Log } from "../../platform/log.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { scrapesFinishedChannel, scrapesQueuedChannel } from "./channels.ts";
import { notify } from "./store.ts";

// A notification has up to 8,000 bytes; an id and its comma have 37.
const idsMax = 200;
/** Wake-ups carry no id, so any number of them is one message. */
const wakeUpsMax = 10_000;

/**
 * Notifies other processes of jobs that were queued or have ended. It does so after the commit and
 * not with it: a transaction that notifies holds a server-wide lock until it is on disk, and would
 * serialize all creations. Ids that arrive during a notification share the next; a lost one costs a
 * poll.
 */
export function createSignals({ db, log }: { db: Queryable; log: Log }) {
  const queued = createSender(scrapesQueuedChannel, wakeUpsMax);
  const finished = createSender(scrapesFinishedChannel, idsMax);

  function createSender(channel: string, batchMax: number) {
    const send = createBatcher(sendBatch, { batchMax, concurrency: 1 });

    async function sendBatch(ids: readonly string[]): Promise<readonly string[]> {
      await notify(db, channel, [...new Set(ids)].join(",")).catch((error: unknown) =>
        log.warn({ channel, error: (error as Error).message }, "scrapes.signal_lost"),
      );
      return ids;
    }

    return (id: string) => void send(id);
  }

  return { queued: () => queued(""), finished };
}

export type Signals = ReturnType<typeof createSignals>;
