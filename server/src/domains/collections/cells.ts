import { type Box, degreeM, middleOf } from "../../geography/points.ts";
import { listingsMax, pagesMax, type SourcePage } from "../../sources/source.ts";
import type { CellState } from "./collection.ts";

/** Below this no cell is split: more businesses than ten pages hold in one building are left out. */
const splitMetersMin = 40;

const radians = Math.PI / 180;

/** The quarters of a box, or nothing when it is too small for that. */
export function quartersOf(box: Box): Box[] {
  const [south, west, north, east] = box;
  const { latitude, longitude } = middleOf(box);
  const rows = (north - south) * degreeM;
  const columns = (east - west) * degreeM * Math.cos(latitude * radians);
  if (Math.max(rows, columns) < splitMetersMin) return [];
  return [
    [south, west, latitude, longitude],
    [south, longitude, latitude, east],
    [latitude, west, north, longitude],
    [latitude, longitude, north, east],
  ];
}

/** The viewport that shows a box, for sources that can only be pointed somewhere. */
export function viewportOf(box: Box): string {
  const [south, west, north, east] = box;
  const { latitude, longitude } = middleOf(box);
  const cos = Math.max(0.01, Math.cos(latitude * radians));
  const reachM = Math.max(1, Math.hypot((north - south) * degreeM, (east - west) * degreeM * cos) / 2);
  const zoom = Math.min(21, Math.max(1, Math.floor(Math.log2((156_543 * 512 * cos) / reachM))));
  return `@${latitude.toFixed(7)},${longitude.toFixed(7)},${zoom}z`;
}

/** What becomes of a cell after a page: `next` when there is another to read. */
export type PageOutcome = "next" | Extract<CellState, "done" | "split" | "full">;

/** A cell that goes on by marks ends after so many pages, and another one for the same box goes on. */
export const markedPagesMax = 10_000;

/** The same for a page that says where the next one begins. */
export function outcomeOfMarked(next: string | null, page: number): PageOutcome {
  if (next === null) return "done";
  return page >= markedPagesMax ? "split" : "next";
}

/**
 * What a page is in its cell; `isRepeated`: everything in it was on the pages before; `isElsewhere`: it is what the
 * source answered for another cell.
 */
type PageInCell = {
  page: number;
  insideCount: number;
  isRepeated: boolean;
  isElsewhere: boolean;
  isSplittable: boolean;
};

/** Whether the source may have had more to list. */
export function isFullPage({ listings, rowCount = listings.length }: SourcePage): boolean {
  return rowCount >= listingsMax;
}

/**
 * Where a source does not count, only a page that is not full, or has nothing of the cell, proves the end. One that
 * repeats what came before shows that the source goes no further: there may be more, and not by turning pages. One that
 * is the same wherever the source is pointed shows that cells do not help either.
 */
export function outcomeOf(
  found: SourcePage,
  { page, insideCount, isRepeated, isElsewhere, isSplittable }: PageInCell,
): PageOutcome {
  if (isElsewhere) return "full";
  const { matching, verdict, unreadableCount = 0 } = found;
  const isFull = isFullPage(found) && insideCount > 0;
  const isLast = page >= pagesMax || (matching === undefined && isRepeated);
  const mayGoOn = !isLast && (matching === undefined ? isFull : page * listingsMax < matching);
  // What cannot be read in a cell cannot be read in its quarters either.
  const isTrimmed = verdict === "trimmed" && unreadableCount === 0;
  const hasMore = matching === undefined ? isLast && isFull : matching > pagesMax * listingsMax || isTrimmed;
  if (hasMore && isSplittable) return "split";
  if (mayGoOn) return "next";
  return hasMore ? "full" : "done";
}
