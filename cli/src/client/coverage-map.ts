import type { CollectionCell } from "@waypost/sdk";

const widthPixels = 600;
const colors: Record<CollectionCell["properties"]["state"], string> = {
  done: "#2e7d32",
  running: "#1565c0",
  pending: "#bdbdbd",
  full: "#ef6c00",
  failed: "#c62828",
  left_out: "#9e9e9e",
  split: "none",
};

/** A picture of the cells that were not split, north up: the more was found in one, the darker it is. */
export function coverageMap(cells: readonly CollectionCell[]): string {
  const leaves = cells.filter(({ properties }) => properties.state !== "split");
  const boxes = leaves.map(({ bbox: [west = 0, south = 0, east = 0, north = 0] }) => ({ west, south, east, north }));
  const west = Math.min(...boxes.map((box) => box.west), 180);
  const east = Math.max(...boxes.map((box) => box.east), -180);
  const south = Math.min(...boxes.map((box) => box.south), 90);
  const north = Math.max(...boxes.map((box) => box.north), -90);
  // A degree of longitude is shorter than one of latitude.
  const squeeze = Math.max(0.05, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const scale = widthPixels / Math.max(1e-9, (east - west) * squeeze);
  const height = Math.max(1, Math.round((north - south) * scale));
  const most = Math.max(1, ...leaves.map(({ properties }) => properties.found));
  const shapes = leaves.map(({ properties: { state, found } }, index) => {
    const box = boxes[index] ?? { west, south, east, north };
    const [x, y] = [(box.west - west) * squeeze * scale, (north - box.north) * scale];
    const [width, tall] = [(box.east - box.west) * squeeze * scale, (box.north - box.south) * scale];
    const opacity = state === "done" ? 0.15 + 0.85 * Math.sqrt(found / most) : 1;
    const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${tall.toFixed(1)}"`;
    return `<rect ${place} fill="${colors[state]}" fill-opacity="${opacity.toFixed(2)}"><title>${state}, ${found} found</title></rect>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPixels} ${height}" stroke="#fff" stroke-width="0.5">`,
    ...shapes,
    "</svg>",
    "",
  ].join("\n");
}
