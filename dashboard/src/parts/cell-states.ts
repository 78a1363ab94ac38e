import type { CellState, CollectionCell } from "../api/collections.ts";

/** What becomes of a part of an area, in words and in the theme's colors; in the order a bar shows them. */
export const stateNames: Record<CellState, string> = {
  done: "Complete",
  running: "Reading now",
  pending: "Waiting",
  full: "Too dense to finish",
  failed: "Failed at the source",
  left_out: "Left out",
  split: "Split into parts",
};

export const stateColors: Record<CellState, string> = {
  done: "--good",
  running: "--info",
  pending: "--ink-faint",
  full: "--warn",
  failed: "--bad",
  left_out: "--ink-soft",
  split: "--line",
};

export type Share = { state: CellState; cells: number; share: number };

/** How much of the surface is in which state. Split cells count by their parts. */
export function sharesOf(cells: readonly CollectionCell[]): Share[] {
  const leaves = cells.filter(({ properties }) => properties.state !== "split");
  const whole = leaves.reduce((sum, cell) => sum + surfaceOf(cell), 0);
  const states = (Object.keys(stateNames) as CellState[]).filter((state) => state !== "split");
  return states.flatMap((state) => {
    const own = leaves.filter(({ properties }) => properties.state === state);
    const surface = own.reduce((sum, cell) => sum + surfaceOf(cell), 0);
    return own.length > 0 ? [{ state, cells: own.length, share: whole > 0 ? surface / whole : 0 }] : [];
  });
}

function surfaceOf({ bbox }: CollectionCell): number {
  const [west = 0, south = 0, east = 0, north = 0] = bbox;
  return (east - west) * (Math.sin((north * Math.PI) / 180) - Math.sin((south * Math.PI) / 180));
}
