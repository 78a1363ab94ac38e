import { type GeoJSONSource, LngLatBounds, type MapLayerMouseEvent, Popup } from "maplibre-gl";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Business } from "../api/scrapes.ts";
import { color } from "./base-style.ts";
import { fontOf } from "./catalog-layers.ts";
import { useFit, useMap } from "./use-map.ts";

type BusinessMapProps = {
  businesses: readonly Business[];
  chosenId?: string | undefined;
  onChoose?: (businessId: string) => void;
};

/** Businesses on a map, gathered into clusters where they are many. */
export function BusinessMap({ businesses, chosenId, onChoose }: BusinessMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const map = useMap(container);

  useEffect(() => {
    if (!map) return undefined;
    map.addSource("businesses", { type: "geojson", data: featuresOf(businesses), cluster: true, clusterRadius: 36 });
    map.addLayer({
      id: "clusters",
      type: "circle",
      source: "businesses",
      filter: ["has", "point_count"],
      paint: {
        "circle-color": color("--accent"),
        "circle-opacity": 0.92,
        "circle-radius": ["step", ["get", "point_count"], 14, 10, 18, 100, 24],
        "circle-stroke-color": color("--surface"),
        "circle-stroke-width": 2,
      },
    });
    const font = fontOf(map);
    map.addLayer({
      id: "cluster-counts",
      type: "symbol",
      source: "businesses",
      filter: ["has", "point_count"],
      layout: {
        "text-field": ["get", "point_count_abbreviated"],
        "text-size": 13,
        "text-allow-overlap": true,
        ...(font ? { "text-font": font } : {}),
      },
      paint: { "text-color": color("--accent-ink") },
    });
    map.addLayer({
      id: "points",
      type: "circle",
      source: "businesses",
      filter: ["!", ["has", "point_count"]],
      paint: {
        "circle-color": ["case", ["==", ["get", "id"], chosenId ?? ""], color("--bad"), color("--accent")],
        "circle-radius": 7,
        "circle-stroke-color": color("--surface"),
        "circle-stroke-width": 2,
      },
    });

    const open = ({ features, lngLat }: MapLayerMouseEvent) => {
      const chosen = businesses.find(({ businessId }) => businessId === features?.[0]?.properties["id"]);
      if (!chosen) return;
      onChoose?.(chosen.businessId);
      // setText, never setHTML: a scraped name is nobody's markup.
      new Popup({ closeButton: false })
        .setLngLat(lngLat)
        .setText(chosen.place.name ?? "unnamed")
        .addTo(map);
    };
    const zoomIn = ({ features, lngLat }: MapLayerMouseEvent) => {
      const source = map.getSource<GeoJSONSource>("businesses");
      const clusterId = features?.[0]?.properties["cluster_id"] as number | undefined;
      if (!source || clusterId === undefined) return;
      void source.getClusterExpansionZoom(clusterId).then((zoom) => map.easeTo({ center: lngLat, zoom }));
    };
    map.on("click", "points", open);
    map.on("click", "clusters", zoomIn);
    return () => {
      map.off("click", "points", open);
      map.off("click", "clusters", zoomIn);
      for (const layer of ["points", "cluster-counts", "clusters"]) if (map.getLayer(layer)) map.removeLayer(layer);
      if (map.getSource("businesses")) map.removeSource("businesses");
    };
  }, [map, businesses, chosenId, onChoose]);

  // Whoever chose a business in the list sees that one; choosing on the map moves nothing.
  const [first] = useState(() => businesses.filter(({ businessId }) => businessId === chosenId));
  const bounds = useMemo(() => boundsOf(first) ?? boundsOf(businesses), [first, businesses]);
  useFit(map, bounds, 60, 15);

  return (
    <div ref={container} className="map" role="region" aria-label="Map of the businesses" data-ready={map && ""} />
  );
}

function featuresOf(businesses: readonly Business[]): GeoJSON.FeatureCollection {
  return {
    type: "FeatureCollection",
    features: businesses.flatMap(({ businessId, place: { location } }) =>
      location
        ? [
            {
              type: "Feature" as const,
              geometry: { type: "Point" as const, coordinates: [location.longitude, location.latitude] },
              properties: { id: businessId },
            },
          ]
        : [],
    ),
  };
}

function boundsOf(businesses: readonly Business[]): [number, number, number, number] | undefined {
  const bounds = new LngLatBounds();
  for (const { place } of businesses) {
    if (place.location) bounds.extend([place.location.longitude, place.location.latitude]);
  }
  return bounds.isEmpty() ? undefined : (bounds.toArray().flat() as [number, number, number, number]);
}
