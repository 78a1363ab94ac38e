import type { Box, Point } from "../../geography/points.ts";
import type { Contains } from "../../geography/shape.ts";
import { states } from "./states.ts";
import type { TownTable } from "./table.ts";

/** Places lie beyond the outermost towns. */
const marginDegrees = 0.3;
const tilesPerDegree = 4;
/** A point farther than this from every town lies in no state. */
const ringsMax = 8;
/** All points of a cell, some two kilometers, lie in the state of its middle. */
const cellsPerDegree = 50;
const cellsMax = 100_000;
/** With the neighbors' towns, so that Tijuana is not in California. */
const countries: ReadonlySet<number> = new Set(["US", "CA", "MX"].map((code) => Buffer.from(code).readUInt16BE()));

type Extent = { code: string; box: Box; largest: Point & { population: number } };

/**
 * The states of the United States as the towns of the gazetteer tell: a point lies in the state of the nearest town.
 * That is wrong within a few kilometers of a border, and needs no outlines.
 */
export function createStateMap(table: TownTable) {
  const tiles = new Map<number, number[]>();
  const extents = new Map<number, Extent>();
  for (let town = 0; town < table.count; town += 1) {
    const country = ((table.countries[town * 2] ?? 0) << 8) | (table.countries[town * 2 + 1] ?? 0);
    if (!countries.has(country)) continue;
    const latitude = (table.latitudesE5[town] ?? 0) / 1e5;
    const longitude = (table.longitudesE5[town] ?? 0) / 1e5;
    const tile = keyOf(Math.floor(latitude * tilesPerDegree), Math.floor(longitude * tilesPerDegree));
    const towns = tiles.get(tile);
    if (towns) towns.push(town);
    else tiles.set(tile, [town]);
    const state = table.states[town] ?? 0;
    const code = states[state - 1]?.code;
    if (code === undefined) continue;
    const known = extents.get(state);
    const place = { latitude, longitude, population: table.populations[town] ?? 0 };
    const largest = known && known.largest.population >= place.population ? known.largest : place;
    extents.set(state, { code, box: around(known?.box, place), largest });
  }

  const stateByCell = new Map<number, number>();

  function stateAt(latitude: number, longitude: number): number {
    const [row, column] = [Math.floor(latitude * cellsPerDegree), Math.floor(longitude * cellsPerDegree)];
    const cell = keyOf(row, column);
    let state = stateByCell.get(cell);
    if (state === undefined) {
      state = stateOfNearest((row + 0.5) / cellsPerDegree, (column + 0.5) / cellsPerDegree);
      if (stateByCell.size >= cellsMax) stateByCell.clear();
      stateByCell.set(cell, state);
    }
    return state;
  }

  function stateOfNearest(latitude: number, longitude: number): number {
    const [row, column] = [Math.floor(latitude * tilesPerDegree), Math.floor(longitude * tilesPerDegree)];
    const narrowing = Math.cos((latitude * Math.PI) / 180);
    let nearest = Infinity;
    let state = 0;
    for (let ring = 0; ring <= ringsMax; ring += 1) {
      // Every point of this ring is at least this far away.
      if (nearest <= (((ring - 1) / tilesPerDegree) * narrowing) ** 2) break;
      for (const tile of ringAround(row, column, ring)) {
        for (const town of tiles.get(tile) ?? []) {
          const north = (table.latitudesE5[town] ?? 0) / 1e5 - latitude;
          const east = ((table.longitudesE5[town] ?? 0) / 1e5 - longitude) * narrowing;
          const away = north * north + east * east;
          if (away >= nearest) continue;
          nearest = away;
          state = table.states[town] ?? 0;
        }
      }
    }
    return state;
  }

  function isInState(code: string): Contains {
    const wanted = numberOf(code);
    return (latitude, longitude) => wanted > 0 && stateAt(latitude, longitude) === wanted;
  }

  return { extentOf: (code: string) => extents.get(numberOf(code)), isInState };
}

export type StateMap = ReturnType<typeof createStateMap>;

function numberOf(code: string): number {
  return states.findIndex((state) => state.code === code) + 1;
}

function keyOf(row: number, column: number): number {
  return row * 100_000 + column;
}

function* ringAround(row: number, column: number, ring: number): Iterable<number> {
  for (let dy = -ring; dy <= ring; dy += 1) {
    const step = Math.abs(dy) === ring ? 1 : Math.max(1, ring * 2);
    for (let dx = -ring; dx <= ring; dx += step) yield keyOf(row + dy, column + dx);
  }
}

function around(box: Box | undefined, { latitude, longitude }: Point): Box {
  const [south, west, north, east] = box ?? [90, 180, -90, -180];
  return [
    Math.min(south, latitude - marginDegrees),
    Math.min(west, longitude - marginDegrees),
    Math.max(north, latitude + marginDegrees),
    Math.max(east, longitude + marginDegrees),
  ];
}
