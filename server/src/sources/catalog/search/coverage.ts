import { boxesAround, type Point } from "../../../geography/points.ts";
import { cellOf, tileOf, tilesAround, tilesTouching } from "../../../geography/cells.ts";

/** What one data set covers: the tiles with places of it, and countries. */
export type DataSetCoverage = { tiles: readonly number[]; shift: number; countries: readonly string[] };

/** A gap counts as covered when places lie around it, no farther than so many tiles. */
const gapTilesMax = 12;

/** A town of a country that a data set merely touches is covered when its data goes on behind it, within so many tiles. */
const foreignTilesMax = 3;

/** So many answers are kept; looking around for tiles takes as long as reading a question. */
const answersMax = 10_000;

/** Knows where the catalog has data. A data set that says nothing of it counts as covering everything. */
export function createCoverage(dataSets: readonly (DataSetCoverage | null)[]) {
  const isUnknown = dataSets.includes(null);
  const grids = dataSets.flatMap((each) =>
    each ? [{ shift: each.shift, tiles: new Set(each.tiles), countries: new Set(each.countries) }] : [],
  );

  function coversCountry(countryCode: string): boolean {
    return isUnknown || grids.some(({ countries }) => countries.has(countryCode));
  }

  /** By cell, since all points of one have the same tiles around them; of maps, and of points by their country. */
  const answers = new Map<string, boolean>();

  /** Of any point, of a town of the world by its country and how far it reaches, or of the middle of a map. */
  function coversPoint(point: Point, { of = "", reachM = 0 } = {}): boolean {
    if (isUnknown) return true;
    const key = `${cellOf(point)} ${of} ${Math.round(reachM)}`;
    let isCovered = answers.get(key);
    if (isCovered === undefined) {
      isCovered = grids.some((grid) => {
        if (of === "view") return hasTile(grid, point) || isBeside(grid, point) || isSurrounded(grid, point);
        if (isForeign(grid, of)) return hasTile(grid, point) && isInside(grid, point);
        return hasTile(grid, point) || isSurrounded(grid, point) || isReached(grid, point, reachM);
      });
      if (answers.size >= answersMax) answers.clear();
      answers.set(key, isCovered);
    }
    return isCovered;
  }

  return { coversCountry, coversPoint };
}

export type Coverage = ReturnType<typeof createCoverage>;
type Grid = { shift: number; tiles: ReadonlySet<number>; countries: ReadonlySet<string> };

/** Whether a data set that is of some countries merely touches this one. */
function isForeign({ countries }: Grid, countryCode: string): boolean {
  return countryCode !== "" && countries.size > 0 && !countries.has(countryCode);
}

function hasTile({ tiles, shift }: Grid, point: Point): boolean {
  return tiles.has(tileOf(cellOf(point), shift));
}

/** How far around its middle a town's places tell that it is covered; its edge may be a neighbor's. */
export function townReachM(radiusM: number): number {
  return radiusM / 2;
}

/** The few places that somebody has of a town need not lie in its middle. */
function isReached({ tiles, shift }: Grid, point: Point, reachM: number): boolean {
  if (reachM === 0) return false;
  for (const box of boxesAround(point, reachM)) {
    for (const tile of tilesTouching(box, shift)) if (tiles.has(tile)) return true;
  }
  return false;
}

/** A map may show the sea in its middle and the town beside it. */
function isBeside({ tiles, shift }: Grid, point: Point): boolean {
  for (const { tile } of tilesAround(point, shift, 1)) if (tiles.has(tile)) return true;
  return false;
}

/** Places lie to the northeast, northwest, southeast and southwest, or straight on. */
function isSurrounded(grid: Grid, point: Point): boolean {
  return liesAmong(grid, point, gapTilesMax, 0);
}

/** The same, and none of them is in the row or column of the point: an extract ends behind its border. */
function isInside(grid: Grid, point: Point): boolean {
  return liesAmong(grid, point, foreignTilesMax, 1);
}

function liesAmong({ tiles, shift }: Grid, point: Point, reach: number, least: number): boolean {
  let sides = 0;
  for (const { tile, dx, dy } of tilesAround(point, shift, reach)) {
    if (!tiles.has(tile)) continue;
    for (const [bit, isOnSide] of [
      [1, dx <= -least && dy <= -least],
      [2, dx >= least && dy <= -least],
      [4, dx <= -least && dy >= least],
      [8, dx >= least && dy >= least],
    ] as const) {
      if (isOnSide) sides |= bit;
    }
    if (sides === 15) return true;
  }
  return false;
}
