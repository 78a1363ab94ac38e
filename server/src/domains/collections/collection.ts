import type { Box } from "../../geography/points.ts";
import type { SourceQuery } from "../../sources/source.ts";
import type { Environment } from "../api-keys/index.ts";

/**
 * A collection is *queued* when it was created and *running* from the first page that a worker asks
 * for. It is *paused* when its owner wants that or the allowance is used up, and resumed by its owner.
 * It ends once: *succeeded* when every cell is exhausted, *partial* when something was left out,
 * *failed* when the source gave nothing, *canceled* by its owner.
 *
 * Its work are *cells*: boxes that cover the area. A cell is *pending* until its pages have been read:
 * then it is *done*, or *split* into quarters where it had more than its pages hold, or *full* where
 * it was too small to split or the source lists the same for other cells, or *failed* where the source
 * kept failing, or *left_out* where the collection ended first. A worker moves a cell as long as it holds the cell's lease.
 */
export const statuses = ["queued", "running", "paused", "succeeded", "partial", "failed", "canceled"] as const;
export type Status = (typeof statuses)[number];

export const statusReasons = ["requested", "max_units_reached", "allowance_exhausted", "source_unavailable"] as const;
export type StatusReason = (typeof statusReasons)[number];

export const cellStates = ["pending", "running", "done", "split", "full", "failed", "left_out"] as const;
/** A pending cell is shown as running while a worker holds it. */
export type ShownCellState = (typeof cellStates)[number];
export type CellState = Exclude<ShownCellState, "running">;

export const unitsMax = 100_000;

export function isTerminal(status: Status): boolean {
  return status !== "queued" && status !== "running" && status !== "paused";
}

/** The query of every cell; page and place are each cell's own. */
export type Params = Pick<SourceQuery, "q" | "hl" | "gl" | "extra">;

export type Collection = {
  /** TypeID, `col_…`. */
  id: string;
  /** The same id as the database keeps it. */
  uuid: string;
  organizationId: string;
  environment: Environment;
  params: Params;
  status: Status;
  statusReason: StatusReason | null;
  errorCode: string | null;
  /** How the source read the question; null until a page is stored, and where the source does not say. */
  queryReading: string | null;
  maxUnits: number;
  unitsCharged: number;
  pages: number;
  cellsTotal: number;
  cellsDone: number;
  resultCount: number;
  requestId: string;
  /** The trace that it belongs to, as W3C writes it. */
  traceparent: string | null;
  /** The key or person that pays for its pages; null in collections from before this was kept. */
  createdBy: string | null;
  /** Plain UUID. */
  webhookEndpointId: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** A collection with its area as the client sent it: text, which may be long, and is only handed on. */
export type ShownCollection = Collection & { areaText: string };

export type Cell = { uuid: string; collectionId: string; organizationId: string; box: Box; depth: number };

/** A cell with the lease that lets its worker write. */
export type ClaimedCell = Cell & {
  /** Those of its collection. */
  requestId: string;
  traceparent: string | null;
  leaseToken: number;
  /** How many pages are stored. */
  pages: number;
  /** Where the next page begins, in a source that goes on by a mark. */
  mark: string | null;
  /** How often it was claimed since its last page, this time included. */
  attempt: number;
  /** How many of these attempts lost their worker. */
  losses: number;
  /** It lost several workers before, so no other quarantined cell runs beside it. */
  isQuarantined: boolean;
  /** When it was claimed first and this time, both by the database's clock: a worker's own may differ. */
  firstClaimedAt: Date;
  claimedAt: Date;
};

/** What a worker needs to know of a cell's collection at each page. */
export type CellTask = { params: Params };

export const leaseSeconds = 15;
export const attemptsMax = 5;
export const lossesMax = 8;
/** How long a cell may wait for a source that asks to slow down. */
export const postponementMaxMs = 3_600_000;

/** The wait before the next attempt after one that failed. */
export function backoffSeconds(failures: number): number {
  return 2 ** failures;
}
