import type { RasterSourceSpecification, StyleSpecification } from "maplibre-gl";
import type { OperatorMap } from "./operator-map.ts";

export type BaseMap = { land: GeoJSON.GeoJSON; borders: GeoJSON.GeoJSON };

let loaded: Promise<BaseMap> | undefined;

/** The base map is a file of the dashboard itself, so that the map works without any other server. */
export function loadBaseMap(): Promise<BaseMap> {
  loaded ??= fetch("/console/base-map.json").then((response) => response.json() as Promise<BaseMap>);
  return loaded;
}

/**
 * Water, land and borders in the colors of the theme, under the operator's tiles where there are any, or the
 * operator's style in their place. Labels use the browser's own fonts unless a style brings glyphs.
 */
export function baseStyle({ land, borders }: BaseMap, operator: OperatorMap | null): StyleSpecification {
  if (operator?.style) return operator.style;
  const tiles = operator?.tiles;
  return {
    version: 8,
    sources: {
      land: { type: "geojson", data: land, attribution: "Natural Earth" },
      borders: { type: "geojson", data: borders },
      ...(tiles ? { tiles: rasterOf(tiles) } : {}),
    },
    layers: [
      { id: "water", type: "background", paint: { "background-color": color("--map-water") } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": color("--map-land") } },
      {
        id: "borders",
        type: "line",
        source: "borders",
        paint: {
          "line-color": color("--map-border"),
          "line-width": ["interpolate", ["linear"], ["zoom"], 1, 0.4, 8, 1.4],
          // Drawn for the whole earth, they are wrong by kilometers, which a town's map would show.
          "line-opacity": ["interpolate", ["linear"], ["zoom"], 7, 1, 9, 0],
        },
      },
      ...(tiles ? [{ id: "tiles", type: "raster", source: "tiles" } as const] : []),
    ],
  };
}

function rasterOf(template: string): RasterSourceSpecification {
  return { type: "raster", tiles: [template], tileSize: 256, maxzoom: 19 };
}

/** A custom property as the browser paints it: MapLibre knows neither var() nor light-dark(). */
export function color(property: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const painted = getComputedStyle(probe).color;
  probe.remove();
  return painted;
}
