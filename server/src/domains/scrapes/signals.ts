import type { Log } from "../../platform/log.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { notify, scrapesFinishedChannel, scrapesQueuedChannel } from "./queue-store.ts";

// PostgreSQL takes messages of up to 8,000 bytes; an id and its comma have 37.
const idsMax = 200;

/**
 * Tells other processes that jobs were queued or have ended. Sent after the commit and not with it:
 * a transaction that notifies holds a lock of the whole server until it is on disk, and would make
 * all creations wait for each other. While one message is on its way, the next collect; one that is
 * lost costs a poll.
 */
export function createSignals({ db, log }: { db: Queryable; log: Log }) {
  const queued = createSender(scrapesQueuedChannel);
  const finished = createSender(scrapesFinishedChannel);

  function createSender(channel: string) {
    const unsent = new Set<string>();
    let isSending = false;

    async function send() {
      if (isSending) return;
      isSending = true;
      while (unsent.size > 0) {
        const batch = [...unsent].slice(0, idsMax);
        for (const id of batch) unsent.delete(id);
        await notify(db, channel, batch.join(",")).catch((error: unknown) =>
          log.warn({ channel, error: (error as Error).message }, "scrapes.signal_lost"),
        );
      }
      isSending = false;
    }

    return (id: string) => {
      unsent.add(id);
      void send();
    };
  }

  return { queued: () => queued(""), finished };
}

export type Signals = ReturnType<typeof createSignals>;
