import type { Map as MapLibre } from "maplibre-gl";
import { color } from "./base-style.ts";

export const townNames = "catalog-areas";
export const placePoints = "catalog-places";

/** The catalog's places, towns and outlines of areas, from tiles that the service makes; below whatever a page draws on top. */
export function addCatalogLayers(map: MapLibre): void {
  const font = fontOf(map);
  map.addSource("catalog", {
    type: "vector",
    tiles: [`${location.origin}/console/api/tiles/{z}/{x}/{y}`],
    maxzoom: 16,
  });
  map.addLayer({
    id: "catalog-outlines",
    type: "line",
    source: "catalog",
    "source-layer": "outlines",
    layout: { "line-join": "round" },
    paint: {
      "line-color": color("--map-border"),
      // Countries and regions are drawn stronger than municipalities.
      "line-width": ["interpolate", ["linear"], ["get", "level"], 0, 1, 2, 1.8, 6, 1.1, 10, 0.7],
      "line-dasharray": [3, 2],
    },
  });
  map.addLayer({
    id: placePoints,
    type: "circle",
    source: "catalog",
    "source-layer": "places",
    paint: {
      "circle-color": color("--accent"),
      "circle-opacity": ["interpolate", ["linear"], ["zoom"], 0, 0.45, 13, 0.6],
      "circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "count"]], 1, 2.2, 10, 5, 60, 10, 300, 16],
    },
  });
  map.addLayer({
    id: townNames,
    type: "symbol",
    source: "catalog",
    "source-layer": "areas",
    layout: {
      "text-field": ["get", "name"],
      "text-size": ["interpolate", ["linear"], ["get", "population"], 0, 11, 100_000, 14],
      "text-padding": 8,
      ...(font ? { "text-font": font } : {}),
      "symbol-sort-key": ["-", ["get", "population"]],
    },
    paint: {
      "text-color": color("--ink-soft"),
      "text-halo-color": color("--map-land"),
      "text-halo-width": 1.5,
    },
  });
}

/** A style that brings glyphs has those of its own fonts alone. */
export function fontOf(map: MapLibre): string[] | undefined {
  const fonts = map.getStyle().layers.map((layer) => layer.type === "symbol" && layer.layout?.["text-font"]);
  return fonts.find((font) => Array.isArray(font) && font.every((each) => typeof each === "string")) as
    | string[]
    | undefined;
}
