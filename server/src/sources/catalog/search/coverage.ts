import type { Point } from "../../geo.ts";
import { cellOf, tileOf, tilesAround } from "../cells.ts";
import type { Where } from "./region.ts";

/** What one data set covers: the tiles with places of it, and countries. */
export type DataSetCoverage = { tiles: readonly number[]; shift: number; countries: readonly string[] };

/** A gap counts as covered when places lie around it, no farther than so many tiles. */
const gapTilesMax = 12;

/** So many answers are kept; looking around for tiles takes as long as reading a question. */
const answersMax = 10_000;

/** Knows where the catalog has data. A data set that says nothing of it counts as covering everything. */
export function createCoverage(dataSets: readonly (DataSetCoverage | null)[]) {
  const isUnknown = dataSets.includes(null);
  const grids = dataSets.flatMap((each) => (each ? [{ shift: each.shift, tiles: new Set(each.tiles) }] : []));
  const countries = new Set(dataSets.flatMap((each) => each?.countries ?? []));

  /** Whether the catalog has data of this where; a named one lies where its middle lies. */
  function covers(where: Where): boolean {
    if (isUnknown || where.kind === "everywhere") return true;
    if (where.kind === "country") return countries.has(where.countryCode);
    const isView = where.kind === "circle" && where.isView === true;
    return coversPoint(where.center, isView);
  }

  /** By cell, since all points of one have the same tiles around them; of maps and of points. */
  const answers = { view: new Map<number, boolean>(), point: new Map<number, boolean>() };

  function coversPoint(point: Point, isView = false): boolean {
    if (isUnknown) return true;
    const cell = cellOf(point);
    const known = isView ? answers.view : answers.point;
    let isCovered = known.get(cell);
    if (isCovered === undefined) {
      isCovered = grids.some(
        (grid) =>
          grid.tiles.has(tileOf(cell, grid.shift)) || (isView && isBeside(grid, point)) || isSurrounded(grid, point),
      );
      if (known.size >= answersMax) known.clear();
      known.set(cell, isCovered);
    }
    return isCovered;
  }

  return { covers, coversPoint };
}

export type Coverage = ReturnType<typeof createCoverage>;
type Grid = { shift: number; tiles: ReadonlySet<number> };

/** A map may show the sea in its middle and the town beside it. */
function isBeside({ tiles, shift }: Grid, point: Point): boolean {
  for (const { tile } of tilesAround(point, shift, 1)) if (tiles.has(tile)) return true;
  return false;
}

/** Places lie to the northeast, northwest, southeast and southwest. */
function isSurrounded({ tiles, shift }: Grid, point: Point): boolean {
  let sides = 0;
  for (const { tile, dx, dy } of tilesAround(point, shift, gapTilesMax)) {
    if (!tiles.has(tile)) continue;
    for (const [bit, isOnSide] of [
      [1, dx <= 0 && dy <= 0],
      [2, dx >= 0 && dy <= 0],
      [4, dx <= 0 && dy >= 0],
      [8, dx >= 0 && dy >= 0],
    ] as const) {
      if (isOnSide) sides |= bit;
    }
    if (sides === 15) return true;
  }
  return false;
}
