import { createHash } from "node:crypto";
import type { Box } from "../../../geography/points.ts";
import type { Place } from "../../../places/place.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { SourceSelection } from "../../../sources/selection.ts";
import { listingsMax, type Source } from "../../../sources/source.ts";
import { enrichListings, type WebsiteReader } from "../../enrichment/index.ts";
import type { Shape } from "../area/area.ts";
import { createShape } from "../area/shape.ts";
import { isFullPage, outcomeOf, outcomeOfMarked, quartersOf, viewportOf } from "../cells.ts";
import type { CellTask, ClaimedCell } from "../collection.ts";
import { type CollectedPage, LeaseLost } from "./page-writer.ts";
import { findGeometry } from "./store.ts";

const deadlineMs = 120_000;
const shapesMax = 32;

type PageReaderDeps = { db: Database; sources: SourceSelection; enrichment?: WebsiteReader | undefined };

/** Reads pages of cells from a source and clips them to the area. */
export function createPageReader({ db, sources, enrichment }: PageReaderDeps) {
  /** An area of 10,000 points is worth preparing once. */
  const shapes = new Map<string, Shape>();
  const firstPages = createFirstPages();

  async function shapeOf(cell: ClaimedCell): Promise<Shape> {
    const { collectionId } = cell;
    const known = shapes.get(collectionId);
    if (known) return known;
    const geometry = await findGeometry(db, cell);
    if (!geometry) throw new LeaseLost(); // deleted meanwhile
    const shape = createShape(geometry);
    shapes.set(collectionId, shape);
    const [oldest] = shapes.keys();
    if (shapes.size > shapesMax && oldest !== undefined) shapes.delete(oldest);
    return shape;
  }

  /** Where the area lies decides, and not where the cell does: all cells of a collection have one source. */
  async function pickSource(cell: ClaimedCell, task: CellTask): Promise<Source | undefined> {
    const [box] = (await shapeOf(cell)).bounds;
    return sources.pick("job", { ...task.params, page: 1, ll: viewportOf(box ?? cell.box) });
  }

  /** `seen`: what the pages before had; this one's listings are added. */
  async function readPage(
    source: Source,
    task: CellTask,
    cell: ClaimedCell,
    { page, seen }: { page: number; seen: Set<string> },
    stop: AbortSignal,
  ): Promise<CollectedPage> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)]);
    const shape = await shapeOf(cell);
    const { box } = cell;
    await shape.prepare?.(box);
    const named = shape.id === undefined ? {} : { area: shape.id, after: cell.mark };
    const within = { box, contains: shape.contains, ...named };
    const found = await source.search({ ...task.params, page, ll: viewportOf(box), within }, signal);
    const places = (listings: readonly Place[]) =>
      enrichment && task.params.extra ? enrichListings(enrichment, listings, signal) : listings;
    const queryReading = found.reading ?? null;
    if (found.next !== undefined) {
      const outcome = outcomeOfMarked(found.next, page);
      const children = outcome === "split" ? [box] : [];
      const rest = { outcome, isShort: false, children, mark: found.next, queryReading };
      return { page, sourceName: source.name, places: await places(found.listings), ...rest };
    }

    const listings = found.listings.slice(0, listingsMax);
    const clipped = listings.filter((place) => isIn(place, shape.contains));
    const insideCount = listings.filter((place) => isIn(place, insideOf(box))).length;
    const parts = quartersOf(box);
    const isRepeated = listings.every((place) => seen.has(idOf(place)));
    const isFullFirst = page === 1 && found.matching === undefined && isFullPage(found);
    const isElsewhere = isFullFirst && firstPages.isOfAnother(cell, listings) && insideCount < listings.length;
    for (const place of listings) seen.add(idOf(place));
    const outcome = outcomeOf(found, {
      page,
      insideCount,
      isRepeated,
      isElsewhere,
      isSplittable: parts.length > 0,
    });
    return {
      page,
      sourceName: source.name,
      places: await places(clipped),
      outcome,
      isShort: outcome === "full" || (found.unreadableCount ?? 0) > 0,
      children: outcome === "split" ? parts.filter(shape.touches) : [],
      mark: null,
      queryReading,
    };
  }

  return { pickSource, readPage };
}

const collectionsMax = 32;
const cellsMax = 1_000;

/**
 * Full first pages of cells, by collection. A source that follows where it is pointed has no two cells with the same one
 * that reaches beyond them. Only what this process read counts: another one finds out by itself.
 */
function createFirstPages() {
  const cellsByCollection = new Map<string, Map<string, string>>();

  function isOfAnother({ collectionId, uuid }: ClaimedCell, listings: readonly Place[]): boolean {
    const cells = cellsByCollection.get(collectionId) ?? new Map<string, string>();
    cellsByCollection.set(collectionId, cells);
    const [oldest] = cellsByCollection.keys();
    if (cellsByCollection.size > collectionsMax && oldest !== undefined) cellsByCollection.delete(oldest);

    const ids = JSON.stringify(listings.map(idOf).toSorted());
    const key = createHash("sha256").update(ids).digest("base64");
    const known = cells.get(key);
    if (known === undefined && cells.size < cellsMax) cells.set(key, uuid);
    return known !== undefined && known !== uuid;
  }

  return { isOfAnother };
}

function idOf({ placeId, dataId, name, location }: Place): string {
  return placeId ?? dataId ?? JSON.stringify([name, location]);
}

/** A place without a location cannot be shown to lie in the area. */
function isIn({ location }: Place, contains: Shape["contains"]): boolean {
  return location !== null && contains(location.latitude, location.longitude);
}

function insideOf([south, west, north, east]: Box): Shape["contains"] {
  return (latitude, longitude) => latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}
