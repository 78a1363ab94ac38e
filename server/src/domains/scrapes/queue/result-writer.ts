import { setTimeout as sleep } from "node:timers/promises";
import { createBatcher } from "../../../platform/batcher.ts";
import { type Database, isOutage, type Queryable } from "../../../platform/postgres/database.ts";
import type { Place } from "../../../places/place.ts";
import type { Business, Businesses } from "../../businesses/index.ts";
import type { NewEvent, Webhooks } from "../../webhooks/index.ts";
import { scrapeEvent } from "../events.ts";
import { type Collected, toRecord, type Transitioned, updateCollected } from "./store.ts";
import { type ClaimedScrape, isTerminal, type Scrape } from "../scrape.ts";
import type { StoredRecord } from "../store.ts";

export type ResultWriterDeps = {
  db: Database;
  businesses: Pick<Businesses, "asRequestedByOwners" | "identify">;
  webhooks: Pick<Webhooks, "emit">;
  /** What is stored of each business; its serialized record when absent. */
  toRecords?: ((tx: Queryable, businesses: readonly Business[]) => Promise<StoredRecord[]>) | undefined;
};

/** The places a worker has collected, and the state it takes the job to with them. */
export type Transition = {
  sourceName: string;
  job: ClaimedScrape;
  places: readonly Place[];
  to: Omit<Collected, "records">;
};

/** A job after a transition, and how long until the results it has not reported yet are due for an event. */
export type WrittenScrape = Scrape & Pick<Transitioned, "progressDueInMs">;

/** One transition that fails does not fail the others of its batch. */
type Outcome = PromiseSettledResult<WrittenScrape>;

const batches = { batchMax: 100, concurrency: 3 };
const outagePauseMs = 500;
const outagePauses = 20;

/** The worker was too late: the job was canceled, or another worker has it. */
export class LeaseLost extends Error {}

/**
 * Stores results and transitions with the events that report them. Concurrent transitions share a
 * transaction and its wait for the disk.
 */
export function createResultWriter({ db, businesses, webhooks, toRecords }: ResultWriterDeps) {
  const add = createBatcher(writeBatch, batches);

  async function write(transition: Transition): Promise<WrittenScrape> {
    const outcome = await add(transition);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  /** One transaction per source: businesses are identified by the source that lists them. */
  async function writeBatch(batch: readonly Transition[]): Promise<Outcome[]> {
    const outcomes = new Map<Transition, Outcome>();
    for (const group of Map.groupBy(batch, ({ sourceName }) => sourceName).values()) {
      for (const [index, outcome] of (await writeGroup(group)).entries())
        outcomes.set(group[index] as Transition, outcome);
    }
    return batch.flatMap((each) => outcomes.get(each) ?? []);
  }

  /**
   * Writes a group in one transaction, or, when one of them cannot be written, each in its own.
   * While the database is down all of them wait for it: nothing is collected twice.
   */
  async function writeGroup(group: readonly Transition[], pausesLeft = outagePauses): Promise<Outcome[]> {
    try {
      const written = await writeTogether(group);
      return group.map(({ job }): Outcome => {
        const scrape = written.get(job.uuid);
        job.lastSequence = scrape?.lastSequence;
        return scrape ? { status: "fulfilled", value: scrape } : { status: "rejected", reason: new LeaseLost() };
      });
    } catch (error) {
      // The commit may have succeeded although its answer was lost.
      for (const { job } of group) job.lastSequence = undefined;
      if (isOutage(error) && pausesLeft > 0) {
        await sleep(outagePauseMs);
        return writeGroup(group, pausesLeft - 1);
      }
      if (group.length === 1 || isOutage(error)) return group.map(() => ({ status: "rejected", reason: error }));
      const outcomes: Outcome[] = [];
      for (const each of group) outcomes.push(...(await writeGroup([each])));
      return outcomes;
    }
  }

  async function writeTogether(
    collectedGroup: readonly Transition[],
  ): Promise<Map<string, ClaimedScrape & Transitioned>> {
    const group = await Promise.all(
      collectedGroup.map(async (each) => ({ ...each, places: await businesses.asRequestedByOwners(each.places) })),
    );
    const places = group.flatMap((entry) => entry.places);
    return db.transaction(async (tx) => {
      const found = places.length === 0 ? [] : await businesses.identify(tx, group[0]?.sourceName ?? "", places);
      let taken = 0;
      const own = group.map((entry) => uniqueOf(found.slice(taken, (taken += entry.places.length))));
      const records = toRecords ? await toRecords(tx, own.flat()) : own.flat().map(toRecord);
      let stored = 0;
      const collected = group.map(({ job, to }, index) => ({
        lease: job,
        collected: { ...to, records: records.slice(stored, (stored += own[index]?.length ?? 0)) },
      }));
      const changes = new Map((await updateCollected(tx, collected)).map((change) => [change.uuid, change]));
      const written = group.flatMap(({ job }) => {
        const change = changes.get(job.uuid);
        return change ? [{ ...job, ...change }] : [];
      });
      const reported = written.filter(({ status, isProgressDue }) => isTerminal(status) || isProgressDue);
      const sequences = await webhooks.emit(tx, ...reported.map(eventOf));
      for (const [index, scrape] of reported.entries()) scrape.lastSequence = sequences[index];
      return new Map(written.map((scrape) => [scrape.uuid, scrape]));
    });
  }

  return write;
}

/** A business once, in the order of the list. */
function uniqueOf(businesses: readonly Business[]): Business[] {
  return [...new Map(businesses.map((each) => [each.businessId, each])).values()];
}

function eventOf(scrape: ClaimedScrape): NewEvent {
  return isTerminal(scrape.status) ? scrapeEvent(scrape) : scrapeEvent(scrape, "scrape.progress");
}
