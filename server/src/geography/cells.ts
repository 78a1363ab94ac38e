import type { Box, Point } from "./points.ts";

/** Cells per side: the earth is a square of 2^15 by 2^15, each about 1.2 by 0.6 km at the equator. */
const side = 32_768;
export const cellMax = side * side - 1;

/** The two halves of a cell's number are interleaved bit by bit, so that a range of numbers is a square. */
export function cellOf({ latitude, longitude }: Point): number {
  return interleave(column(longitude), row(latitude));
}

/** A cell with those around it, over the antimeridian too. */
export function cellsAround(cell: number): number[] {
  return squaresAround(cell, side);
}

/** The same for a square of cells, which its first and last stand for. */
export function cellsWithRing({ first, last }: { first: number; last: number }): number[] {
  const [x, y] = [even(first), even(first >>> 1)];
  const width = Math.sqrt(last - first + 1);
  const cells: number[] = [];
  for (let dy = -1; dy <= width; dy += 1) {
    if (y + dy < 0 || y + dy >= side) continue;
    for (let dx = -1; dx <= width; dx += 1) cells.push(interleave((x + dx + side) % side, y + dy));
  }
  return cells;
}

/** The same for a tile. */
export function tilesBeside(tile: number, shift: number): number[] {
  return squaresAround(tile, side >> (shift / 2));
}

function squaresAround(square: number, columns: number): number[] {
  const x = even(square);
  const y = even(square >>> 1);
  const squares: number[] = [];
  for (let dy = -1; dy <= 1; dy += 1) {
    if (y + dy < 0 || y + dy >= columns) continue;
    for (let dx = -1; dx <= 1; dx += 1) squares.push(interleave((x + dx + columns) % columns, y + dy));
  }
  return squares;
}

/** The tiles that a cell and those around it lie in. */
export function tilesNear(cell: number, shift: number): number[] {
  const edge = 2 ** (shift / 2) - 1;
  const [x, y] = [even(cell) & edge, even(cell >>> 1) & edge];
  const isInside = x > 0 && x < edge && y > 0 && y < edge;
  return isInside ? [tileOf(cell, shift)] : cellsAround(cell).map((each) => tileOf(each, shift));
}

/** A tile is a square of cells: their number without its last bits, an even number of them. */
export function tileOf(cell: number, shift: number): number {
  return cell >>> shift;
}

/** The tiles around that of a point, row by row, over the antimeridian too. */
export function* tilesAround(
  point: Point,
  shift: number,
  reach: number,
): Iterable<{ tile: number; dx: number; dy: number }> {
  const half = shift / 2;
  const tiles = side >> half;
  const [x, y] = [column(point.longitude) >> half, row(point.latitude) >> half];
  for (let dy = -reach; dy <= reach; dy += 1) {
    if (y + dy < 0 || y + dy >= tiles) continue;
    for (let dx = -reach; dx <= reach; dx += 1) yield { tile: interleave((x + dx + tiles) % tiles, y + dy), dx, dy };
  }
}

/** The tiles that a box touches; its east may pass 180 degrees. */
export function* tilesTouching([south, west, north, east]: Box, shift: number): Iterable<number> {
  const half = shift / 2;
  const columns = side >> half;
  const first = column(west) >> half;
  const last = (east > 180 ? column(east - 360) + side : column(east)) >> half;
  for (let y = row(south) >> half; y <= row(north) >> half; y += 1) {
    for (let x = first; x <= Math.min(last, first + columns - 1); x += 1) yield interleave(x % columns, y);
  }
}

/** The cells of tiles as ranges, first and last; tiles that follow one another share one. */
export function rangesOfTiles(tiles: Iterable<number>, shift: number): [number, number][] {
  const ranges: [number, number][] = [];
  for (const tile of Int32Array.from(tiles).sort()) {
    const [first, last] = [tile * 2 ** shift, (tile + 1) * 2 ** shift - 1];
    const previous = ranges.at(-1);
    if (previous && previous[1] + 1 === first) previous[1] = last;
    else ranges.push([first, last]);
  }
  return ranges;
}

/** South, west, north, east of a tile. */
export function boxOfTile(tile: number, shift: number): Box {
  const [x, y] = [even(tile), even(tile >>> 1)];
  const tiles = side >> (shift / 2);
  return [(y / tiles) * 180 - 90, (x / tiles) * 360 - 180, ((y + 1) / tiles) * 180 - 90, ((x + 1) / tiles) * 360 - 180];
}

/** The ranges of cells that hold a box, at most some dozens; at its edges they reach beyond it. */
export function cellRangesOf([south, west, north, east]: Box): [number, number][] {
  const [left, right, bottom, top] = [column(west), column(east), row(south), row(north)];
  const finest = Math.max(1, 2 ** Math.floor(Math.log2(Math.max(right - left, top - bottom, 1) / 8)));
  const ranges: [number, number][] = [];
  descend(0, 0, side);
  return ranges;

  // In the order of their numbers, so that neighbors become one range.
  function descend(x: number, y: number, size: number): void {
    if (x > right || x + size <= left || y > top || y + size <= bottom) return;
    const isInside = x >= left && x + size - 1 <= right && y >= bottom && y + size - 1 <= top;
    if (!isInside && size > finest) {
      const half = size / 2;
      for (const [dx, dy] of [
        [0, 0],
        [half, 0],
        [0, half],
        [half, half],
      ] as const)
        descend(x + dx, y + dy, half);
      return;
    }
    const first = interleave(x, y);
    const last = first + size * size - 1;
    const previous = ranges.at(-1);
    if (previous && previous[1] + 1 === first) previous[1] = last;
    else ranges.push([first, last]);
  }
}

function column(longitude: number): number {
  return Math.min(side - 1, Math.max(0, Math.floor(((longitude + 180) / 360) * side)));
}

function row(latitude: number): number {
  return Math.min(side - 1, Math.max(0, Math.floor(((latitude + 90) / 180) * side)));
}

function interleave(x: number, y: number): number {
  return spread(x) | (spread(y) << 1);
}

function spread(value: number): number {
  let bits = (value | (value << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

function even(value: number): number {
  let bits = value & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & 0x0000ffff;
}
