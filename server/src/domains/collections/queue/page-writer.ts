import type { Database, Transaction } from "../../../platform/postgres/database.ts";
import type { Place } from "../../../places/place.ts";
import type { Billing } from "../../billing/index.ts";
import type { Businesses } from "../../businesses/index.ts";
import type { Webhooks } from "../../webhooks/index.ts";
import type { Box } from "../../../geography/points.ts";
import type { PageOutcome } from "../cells.ts";
import type { ClaimedCell, Collection } from "../collection.ts";
import { pauseActiveCollection, releaseCells } from "../control-store.ts";
import { collectionEvent } from "../events.ts";
import { insertCells, insertResults } from "../store.ts";
import {
  endCollection,
  growCollection,
  type Grown,
  type Growth,
  isCellHeld,
  lockRunningCollection,
  startQueuedCollection,
  updateCell,
} from "./store.ts";

type PageWriterDeps = {
  db: Database;
  businesses: Pick<Businesses, "asRequestedByOwners" | "identify">;
  billing: Pick<Billing, "charge">;
  webhooks: Pick<Webhooks, "emit">;
};

/** A page of a cell as the source gave it, clipped to the area. */
export type CollectedPage = {
  page: number;
  sourceName: string;
  places: readonly Place[];
  outcome: PageOutcome;
  /** There are businesses that were left out. */
  isShort: boolean;
  /** The parts of a split cell that touch the area. */
  children: readonly Box[];
  /** Where the next page begins, in the cell or in its children; null where pages are counted. */
  mark: string | null;
  queryReading: string | null;
};

/** The worker was too late: the collection was stopped, or another worker has the cell. */
export class LeaseLost extends Error {}

const nothing: Growth = {
  units: 0,
  pages: 0,
  results: 0,
  cellsTotal: 0,
  cellsDone: 0,
  cellsShort: 0,
  errorCode: null,
  queryReading: null,
};

/** Stores pages with what they cost, what they change and the events that report it. */
export function createPageWriter({ db, businesses, billing, webhooks }: PageWriterDeps) {
  async function start(cell: ClaimedCell): Promise<void> {
    await db.transaction(async (tx) => {
      const started = await startQueuedCollection(tx, cell);
      if (started) await webhooks.emit(tx, collectionEvent(started));
    });
  }

  /**
   * Stores a page and charges its unit, or does neither. Everyone who writes locks businesses first,
   * then the collection, then its cells, and the organization's counter last.
   */
  async function write(cell: ClaimedCell, collected: CollectedPage): Promise<Collection> {
    const { page, sourceName, outcome, isShort, children, mark, queryReading } = collected;
    const places = await businesses.asRequestedByOwners(collected.places);
    return db.transaction(async (tx) => {
      const found = places.length === 0 ? [] : await businesses.identify(tx, sourceName, places);
      const collection = await lockRunningCollection(tx, cell);
      if (!collection || collection.unitsCharged >= collection.maxUnits) throw new LeaseLost();
      const state = outcome === "next" ? "pending" : outcome;
      const isHeld = await updateCell(tx, cell, { state, pages: page, found: found.length, mark });
      if (!isHeld) throw new LeaseLost();

      if (children.length > 0) {
        const child = { depth: cell.depth + 1, state: "pending", pages: 0, found: 0 } as const;
        await insertCells(
          tx,
          cell,
          cell.collectionId,
          children.map((box) => ({ ...child, box, mark })),
        );
      }
      const grown = await growCollection(tx, collection, {
        ...nothing,
        units: 1,
        pages: 1,
        results: await insertResults(tx, collection, found),
        cellsTotal: children.length,
        cellsDone: outcome === "next" ? 0 : 1,
        cellsShort: isShort ? 1 : 0,
        queryReading,
      });
      const ended = await report(tx, grown);
      await billing.charge(tx, cell.organizationId, 1, `${collection.id}/${cell.uuid}/${page}`, collection.createdBy);
      return ended;
    });
  }

  /** Gives a cell up; the others go on. */
  async function fail(cell: ClaimedCell, errorCode: string): Promise<Collection> {
    return db.transaction(async (tx) => {
      const collection = await lockRunningCollection(tx, cell);
      const isHeld = collection && (await updateCell(tx, cell, { state: "failed", pages: cell.pages, found: 0 }));
      if (!isHeld) throw new LeaseLost();
      return report(tx, await growCollection(tx, collection, { ...nothing, cellsDone: 1, cellsShort: 1, errorCode }));
    });
  }

  /**
   * Pauses the collection until its owner resumes it, who may have done so since another cell paused it: a cell that was
   * released then has lost its lease.
   */
  async function pause(cell: ClaimedCell): Promise<void> {
    await db.transaction(async (tx) => {
      const collection = await lockRunningCollection(tx, cell);
      if (!collection || !(await isCellHeld(tx, cell))) throw new LeaseLost();
      await pauseActiveCollection(tx, cell, cell.collectionId, "allowance_exhausted");
      await releaseCells(tx, cell, cell.collectionId, { ends: false });
    });
  }

  /** Ends the collection when nothing is left to do, or no unit is left to do it with; emits what is due. */
  async function report(tx: Transaction, grown: Grown): Promise<Collection> {
    const end = endOf(grown);
    if (!end) {
      if (grown.isProgressDue) await webhooks.emit(tx, collectionEvent(grown, "scrape.progress"));
      return grown;
    }
    if (end.reason === "max_units_reached") await releaseCells(tx, grown, grown.uuid, { ends: true });
    const ended = await endCollection(tx, grown, end);
    await webhooks.emit(tx, collectionEvent(ended));
    return ended;
  }

  return { start, write, fail, pause };
}

function endOf({ cellsDone, cellsTotal, cellsShort, pages, unitsCharged, maxUnits, errorCode }: Grown) {
  if (cellsDone < cellsTotal) {
    return unitsCharged < maxUnits ? undefined : ({ status: "partial", reason: "max_units_reached" } as const);
  }
  if (cellsShort === 0) return { status: "succeeded", reason: null } as const;
  const reason = errorCode === null ? null : "source_unavailable";
  return { status: pages === 0 ? "failed" : "partial", reason } as const;
}
