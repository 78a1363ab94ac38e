import type { Database } from "../../platform/postgres/database.ts";
import type { Sql } from "../../platform/postgres/sql.ts";
import { pagesMax, type Source } from "../../sources/source.ts";
import { type Business, simulatedBusiness, storeSimulated } from "../businesses/index.ts";
import type { TestQuota } from "../billing/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { Area } from "./area/area.ts";
import { createShape } from "./area/shape.ts";
import { quartersOf } from "./cells.ts";
import type { Collection } from "./collection.ts";
import { collectionEvent } from "./events.ts";
import { endCollection, growCollection } from "./queue/store.ts";
import {
  insertCells,
  insertCollection,
  insertResults,
  type NewCell,
  type NewCollection,
  type Tenant,
} from "./store.ts";

type SimulationDeps = { db: Database; webhooks: Pick<Webhooks, "emit">; testQuota: TestQuota; fixtures: Source };

/** What every place name stands for to test keys. */
export const simulatedArea: Area = { kind: "circle", center: { latitude: 47.141, longitude: 9.5209 }, radiusM: 5_000 };

const fixtureDeadlineMs = 5_000;
/** Businesses that a simulated cell shows. */
const perCell = 40;

/** Inserts the collection of a test key, which has ended: simulated businesses in a few cells, for no unit. */
export async function insertSimulated(
  { db, webhooks, testQuota, fixtures }: SimulationDeps,
  tenant: Tenant,
  draft: NewCollection,
  claim: Sql,
): Promise<Collection | undefined> {
  const businesses = await readFixtures(fixtures, draft);
  const cells = simulatedCells(draft.geometry, businesses.length);
  return db.transaction(async (tx) => {
    const collection = await insertCollection(tx, tenant, draft, claim);
    if (!collection) return undefined;
    await webhooks.emit(tx, collectionEvent(collection));
    await insertCells(tx, tenant, draft.uuid, cells);
    await growCollection(tx, collection, {
      units: 0,
      pages: cells.reduce((sum, { pages }) => sum + pages, 0),
      results: await insertResults(tx, collection, businesses, (all) => storeSimulated(tx, all)),
      cellsTotal: cells.length,
      cellsDone: cells.length,
      cellsShort: 0,
      errorCode: null,
    });
    const ended = await endCollection(tx, collection, { status: "succeeded", reason: null });
    await webhooks.emit(tx, collectionEvent(ended));
    await testQuota.take(tx, tenant.organizationId);
    return ended;
  });
}

async function readFixtures(fixtures: Source, { params }: NewCollection): Promise<Business[]> {
  const signal = AbortSignal.timeout(fixtureDeadlineMs);
  const businesses: Business[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const { listings } = await fixtures.search({ ...params, page }, signal);
    if (listings.length === 0) break;
    businesses.push(...listings.map(simulatedBusiness));
  }
  return businesses;
}

/** The bounds, split once, with the businesses dealt out among the quarters. */
function simulatedCells(geometry: Area, businesses: number): NewCell[] {
  const shape = createShape(geometry);
  const quarters = shape.bounds.flatMap(quartersOf).filter(shape.touches);
  const parents = shape.bounds.map((box) => ({ box, depth: 0, state: "split", pages: 1, found: 0 }) as const);
  let left = businesses;
  const children = quarters.map((box, index): NewCell => {
    const found = index === quarters.length - 1 ? left : Math.min(left, perCell);
    left -= found;
    return { box, depth: 1, state: "done", pages: Math.floor(found / 20) + 1, found };
  });
  return [...parents, ...children];
}
