import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Database, isOutage } from "../../platform/postgres/database.ts";
import type { Place } from "../../sources/place.ts";
import type { Businesses } from "../businesses/index.ts";
import type { NewEvent, Webhooks } from "../webhooks/index.ts";
import { scrapeEvent } from "./events.ts";
import { type Collected, toRecord, updateCollected } from "./queue-store.ts";
import { type ClaimedScrape, isTerminal, type Scrape } from "./scrape.ts";

type MovesDeps = { db: Database; businesses: Pick<Businesses, "identify">; webhooks: Pick<Webhooks, "emit"> };

/** What a worker has found, and where it takes the job with it. */
export type Move = {
  sourceName: string;
  job: ClaimedScrape;
  places: readonly Place[];
  to: Omit<Collected, "records">;
};

type Waiting = Move & PromiseWithResolvers<Scrape>;

const groupMax = 100;
const writersMax = 3;
const outagePauseMs = 500;
const outagePauses = 20;

/** The worker was too late: the job was canceled, or another worker has it. */
export class LeaseLost extends Error {}

/**
 * Adds results and moves jobs on, each with the event that tells of it. Moves that arrive while
 * others are being written form the next group: many that come at once share a transaction and its
 * wait for the disk, a single one waits for nobody.
 */
export function createMoves({ db, businesses, webhooks }: MovesDeps) {
  let waiting: Waiting[] = [];
  let writers = 0;

  function move(wanted: Move): Promise<Scrape> {
    const entry = { ...wanted, ...Promise.withResolvers<Scrape>() };
    waiting.push(entry);
    if (writers < writersMax) void writeAll();
    return entry.promise;
  }

  async function writeAll(): Promise<void> {
    writers += 1;
    await nextTurn(); // those who ended in the same turn come along
    while (waiting.length > 0) {
      const sourceName = waiting[0]?.sourceName;
      const group = waiting.filter((entry) => entry.sourceName === sourceName).slice(0, groupMax);
      const taken = new Set(group);
      waiting = waiting.filter((entry) => !taken.has(entry));
      await write(group);
    }
    writers -= 1;
  }

  /**
   * One that cannot be written does not take the others with it: they are then written one by one.
   * While the database is away, all of them wait for it; what was collected is not collected again.
   */
  async function write(group: readonly Waiting[], patience = outagePauses): Promise<void> {
    try {
      const moved = await writeTogether(group);
      for (const { job, resolve, reject } of group) {
        const scrape = moved.get(job.uuid);
        job.lastSequence = scrape?.lastSequence;
        if (scrape) resolve(scrape);
        else reject(new LeaseLost());
      }
    } catch (error) {
      // What was to be written may be there all the same, when the answer to the commit was lost.
      for (const { job } of group) job.lastSequence = undefined;
      if (isOutage(error) && patience > 0) {
        await sleep(outagePauseMs);
        return write(group, patience - 1);
      }
      if (group.length === 1 || isOutage(error)) return group.forEach(({ reject }) => reject(error));
      for (const entry of group) await write([entry]);
    }
  }

  async function writeTogether(group: readonly Waiting[]): Promise<Map<string, ClaimedScrape>> {
    const places = group.flatMap((entry) => entry.places);
    return db.transaction(async (tx) => {
      const found = places.length === 0 ? [] : await businesses.identify(tx, group[0]?.sourceName ?? "", places);
      let taken = 0;
      const collected = group.map(({ job, places: own, to }) => {
        const unique = new Map(found.slice(taken, (taken += own.length)).map((each) => [each.businessId, each]));
        return { lease: job, collected: { ...to, records: [...unique.values()].map(toRecord) } };
      });
      const changes = new Map((await updateCollected(tx, collected)).map((change) => [change.uuid, change]));
      const moved = group.flatMap(({ job }) => {
        const change = changes.get(job.uuid);
        return change ? [{ ...job, ...change }] : [];
      });
      const news = moved.filter(({ status, isProgressDue }) => isTerminal(status) || isProgressDue);
      const sequences = await webhooks.emit(tx, ...news.map(eventOf));
      for (const [index, scrape] of news.entries()) scrape.lastSequence = sequences[index];
      return new Map(moved.map((scrape) => [scrape.uuid, scrape]));
    });
  }

  return move;
}

function eventOf(scrape: ClaimedScrape): NewEvent {
  return isTerminal(scrape.status) ? scrapeEvent(scrape) : scrapeEvent(scrape, "scrape.progress");
}
