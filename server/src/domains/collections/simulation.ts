import type { Database } from "../../platform/postgres/database.ts";
import type { Sql } from "../../platform/postgres/sql.ts";
import type { Box } from "../../geography/points.ts";
import { listingsMax, pagesMax, type Source } from "../../sources/source.ts";
import { type Business, simulatedBusiness, storeSimulated } from "../businesses/index.ts";
import type { TestQuota } from "../billing/index.ts";
import { type TestScenario, testScenarioOf } from "../search/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { Area } from "./area/area.ts";
import { prepareArea, type PreparedArea } from "./area/prepared-area.ts";
import { viewportOf } from "./cells.ts";
import type { CellState, Collection, Status, StatusReason } from "./collection.ts";
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

/** What a place name that is no town's stands for to test keys. */
const someArea: Area = { kind: "circle", center: { latitude: 47.141, longitude: 9.5209 }, radiusM: 5_000 };

const fixtureDeadlineMs = 60_000;
/** Businesses that a simulated cell shows. */
const perCell = 40;

/** With the place that was named, where nothing was drawn. */
export type SimulatedDraft = NewCollection & { place: string | undefined };

/** Where the place lies that a test key names. */
export async function simulatedPlace(
  fixtures: Source,
  place: string,
  { hl = "en", gl }: { hl?: string; gl?: string },
): Promise<PreparedArea> {
  const options = { hl, ...(gl === undefined ? {} : { gl }) };
  const found = await fixtures.findArea?.(place, options, AbortSignal.timeout(fixtureDeadlineMs));
  return prepareArea(found?.kind === "circle" ? found : someArea);
}

/**
 * Inserts the collection of a test key, which has ended: simulated businesses in a few cells, for no unit. Its pages
 * count against the ceiling as if they cost one, and a query that begins with `test:` decides its end.
 */
export async function insertSimulated(
  { db, webhooks, testQuota, fixtures }: SimulationDeps,
  tenant: Tenant,
  draft: SimulatedDraft,
  claim: Sql,
): Promise<Collection | undefined> {
  const scenario = testScenarioOf(draft.params.q);
  const fixed = await readFixtures(fixtures, draft);
  const cells = simulatedCells(draft, fixed.length, scenario);
  const businesses = fixed.slice(0, distinctIn(cells));
  return db.transaction(async (tx) => {
    const collection = await insertCollection(tx, tenant, draft, claim);
    if (!collection) return undefined;
    await webhooks.emit(tx, collectionEvent(collection));
    await insertCells(tx, tenant, draft.uuid, cells);
    await growCollection(tx, collection, {
      units: 0,
      pages: sumOf(cells, "pages"),
      results: await insertResults(tx, collection, businesses, (all) => storeSimulated(tx, all)),
      cellsTotal: cells.length,
      cellsDone: cells.length - countOf(cells, "left_out"),
      cellsShort: countOf(cells, "failed"),
      errorCode: countOf(cells, "failed") > 0 ? "source_failed" : null,
      queryReading: null,
    });
    const ended = await endCollection(tx, collection, endOf(cells, scenario));
    await webhooks.emit(tx, collectionEvent(ended));
    await testQuota.take(tx, tenant.organizationId);
    return ended;
  });
}

/** What fixtures find in the place that is named, else around the middle of the area. */
async function readFixtures(fixtures: Source, { params, prepared, place }: SimulatedDraft): Promise<Business[]> {
  const [box] = prepared.bounds;
  const around = box ? { ll: viewportOf(box) } : {};
  const where = place === undefined ? around : { q: `${params.q}, ${place}` };
  const signal = AbortSignal.timeout(fixtureDeadlineMs);
  const businesses: Business[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const { listings } = await fixtures.search({ ...params, ...where, page }, signal);
    if (listings.length === 0) break;
    businesses.push(...listings.map(simulatedBusiness));
  }
  return businesses;
}

/** The bounds, split once, with the businesses dealt out among the quarters, as far as the ceiling lets them be read. */
function simulatedCells(
  { prepared, maxUnits }: Pick<NewCollection, "prepared" | "maxUnits">,
  businesses: number,
  scenario: TestScenario | undefined,
): NewCell[] {
  const { bounds } = prepared;
  const unread = { pages: 0, found: 0 };
  if (scenario === "failed" || scenario === "canceled") {
    const state = scenario === "failed" ? "failed" : "left_out";
    return bounds.map((box) => ({ box, depth: 0, state, ...unread }));
  }
  const available = scenario === "partial" ? Math.ceil(businesses / 2) : businesses;
  const quarters = prepared.quarters.slice(0, maxUnits).flat();
  const isSplit = quarters.length > 0;
  const parents = isSplit ? bounds : [];
  const [leaves, depth] = isSplit ? [quarters, 1] : [bounds, 0];
  const lost = scenario === "partial" ? leaves.length - 1 : leaves.length;
  const cells = [
    ...deal(parents, { businesses: available, most: listingsMax }).map(({ box, found }): NewCell => ({
      box,
      depth: 0,
      state: "split",
      pages: 1,
      found,
    })),
    ...deal(leaves.slice(0, lost), { businesses: available, most: perCell, lastTakesRest: true }).map(
      ({ box, found }): NewCell => ({
        box,
        depth,
        state: "done",
        pages: Math.floor(found / listingsMax) + 1,
        found,
      }),
    ),
    ...leaves.slice(lost).map((box): NewCell => ({ box, depth, state: "failed", ...unread })),
  ];
  return withinCeiling(cells, maxUnits);
}

/** Deals businesses out among boxes, each of which takes up to so many. */
function deal(
  boxes: readonly Box[],
  { businesses, most, lastTakesRest = false }: { businesses: number; most: number; lastTakesRest?: boolean },
) {
  return boxes.map((box, index) => {
    const left = Math.max(0, businesses - index * most);
    return { box, found: lastTakesRest && index === boxes.length - 1 ? left : Math.min(left, most) };
  });
}

function withinCeiling(cells: readonly NewCell[], maxUnits: number): NewCell[] {
  let left = maxUnits;
  return cells.map((cell) => {
    const pages = Math.min(cell.pages, left);
    left -= pages;
    if (pages === cell.pages) return cell;
    return { ...cell, state: "left_out", pages, found: Math.min(cell.found, pages * listingsMax) };
  });
}

/** The end that workers would give a collection with such cells. */
function endOf(
  cells: readonly NewCell[],
  scenario: TestScenario | undefined,
): { status: Status; reason: StatusReason | null } {
  if (scenario === "canceled") return { status: "canceled", reason: "requested" };
  if (countOf(cells, "left_out") > 0) return { status: "partial", reason: "max_units_reached" };
  if (countOf(cells, "failed") === 0) return { status: "succeeded", reason: null };
  return { status: sumOf(cells, "pages") === 0 ? "failed" : "partial", reason: "source_unavailable" };
}

/** The first page of a split cell shows what its quarters show again. */
function distinctIn(cells: readonly NewCell[]): number {
  const foundAt = (wanted: number) =>
    sumOf(
      cells.filter(({ depth }) => depth === wanted),
      "found",
    );
  return Math.max(foundAt(0), foundAt(1));
}

function sumOf(cells: readonly NewCell[], count: "pages" | "found"): number {
  return cells.reduce((sum, cell) => sum + cell[count], 0);
}

function countOf(cells: readonly NewCell[], wanted: CellState): number {
  return cells.filter(({ state }) => state === wanted).length;
}
