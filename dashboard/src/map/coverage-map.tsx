import { LngLatBounds, type MapLayerMouseEvent, Popup } from "maplibre-gl";
import { useEffect, useMemo, useRef } from "react";
import type { CellState, CollectionCell } from "../api/collections.ts";
import type { Business } from "../api/scrapes.ts";
import { stateColors, stateNames } from "../parts/cell-states.ts";
import { color } from "./base-style.ts";
import { placePoints } from "./catalog-layers.ts";
import { useGeoJson } from "./use-geo-json.ts";
import { useFit, useMap } from "./use-map.ts";

type CoverageMapProps = { cells: readonly CollectionCell[]; businesses: readonly Business[] };

/** Which parts of an area were read, with the businesses found there. */
export function CoverageMap({ cells, businesses }: CoverageMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const map = useMap(container);
  const shown = useMemo(() => featuresOf(cells), [cells]);
  const points = useMemo(() => pointsOf(businesses), [businesses]);
  useGeoJson(map, "cells", shown, cellLayers);
  useGeoJson(map, "found", points, pointLayers);

  // Splitting makes cells inside of cells, so the first ones say where the area is.
  useFit(map, boundsOf(cells), 32, 15);

  useEffect(() => {
    if (!map) return undefined;
    // What was found is drawn itself; the catalog's own points beside it would count twice.
    map.setLayoutProperty(placePoints, "visibility", "none");
    // Closed by our own handler, which comes before those that open it again.
    const popup = new Popup({ closeButton: false, closeOnClick: false });
    const close = () => popup.remove();
    const tellCell = ({ features, lngLat }: MapLayerMouseEvent) => {
      const { state, pages, found } = (features?.[0]?.properties ?? {}) as CollectionCell["properties"];
      popup
        .setLngLat(lngLat)
        .setText(`${stateNames[state]}: ${found} found on ${pages} ${pages === 1 ? "page" : "pages"}`)
        .addTo(map);
    };
    // A business lies in a cell, whose handler comes first: the popup then changes to the business.
    const tellBusiness = ({ features, lngLat }: MapLayerMouseEvent) => {
      // setText, never setHTML: a scraped name is nobody's markup.
      popup.setLngLat(lngLat).setText(String(features?.[0]?.properties["name"])).addTo(map);
    };
    map.on("click", close);
    map.on("click", "cells-fill", tellCell);
    map.on("click", "found-points", tellBusiness);
    return () => {
      popup.remove();
      map.off("click", close);
      map.off("click", "cells-fill", tellCell);
      map.off("click", "found-points", tellBusiness);
    };
  }, [map]);

  return (
    <div
      ref={container}
      className="map coverage"
      role="region"
      aria-label="Coverage of the area"
      data-ready={map && ""}
      data-found={businesses.length}
    />
  );
}

function cellLayers() {
  const states = Object.keys(stateColors) as CellState[];
  const painted = ["match", ["get", "state"], ...states.flatMap((each) => [each, color(stateColors[each])])];
  const paint = [...painted, color("--ink-faint")] as unknown as string;
  return [
    {
      id: "cells-fill",
      type: "fill",
      paint: {
        "fill-color": paint,
        // A cell where more was found is deeper in color; what waits is barely there.
        "fill-opacity": [
          "match",
          ["get", "state"],
          "done",
          ["interpolate", ["linear"], ["get", "found"], 0, 0.1, 20, 0.2, 200, 0.38],
          "pending",
          0.06,
          "left_out",
          0.16,
          0.4,
        ],
      },
    },
    {
      id: "cells-line",
      type: "line",
      paint: { "line-color": paint, "line-width": ["match", ["get", "state"], "running", 2.5, 1], "line-opacity": 0.8 },
    },
  ] as const;
}

function pointLayers() {
  return [
    {
      id: "found-points",
      type: "circle",
      paint: {
        "circle-color": color("--good"),
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 8, 1.5, 15, 5],
        "circle-stroke-color": color("--surface"),
        "circle-stroke-width": 1,
      },
    },
  ] as const;
}

/** Cells that were split are shown by their parts. */
function featuresOf(cells: readonly CollectionCell[]): GeoJSON.FeatureCollection {
  const leaves = cells.filter(({ properties }) => properties.state !== "split");
  return { type: "FeatureCollection", features: leaves as unknown as GeoJSON.Feature[] };
}

function pointsOf(businesses: readonly Business[]): GeoJSON.FeatureCollection {
  return {
    type: "FeatureCollection",
    features: businesses.flatMap(({ place: { location, name } }) =>
      location
        ? [
            {
              type: "Feature" as const,
              geometry: { type: "Point" as const, coordinates: [location.longitude, location.latitude] },
              properties: { name: name ?? "unnamed" },
            },
          ]
        : [],
    ),
  };
}

function boundsOf(cells: readonly CollectionCell[]): [number, number, number, number] | undefined {
  const bounds = new LngLatBounds();
  for (const { bbox, properties } of cells) {
    const [west = 0, south = 0, east = 0, north = 0] = bbox;
    if (properties.depth === 0) bounds.extend([west, south]).extend([east, north]);
  }
  return bounds.isEmpty() ? undefined : (bounds.toArray().flat() as [number, number, number, number]);
}
