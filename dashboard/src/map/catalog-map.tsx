import { useEffect, useRef } from "react";
import type { Catalog } from "../api/catalog.ts";
import { useMap } from "./use-map.ts";

/** Where the catalog has places. */
export function CatalogMap({ bounds }: { bounds: Catalog["bounds"] }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useMap(container);
  useEffect(() => {
    if (!map || !bounds) return;
    const [south, west, north, east] = bounds;
    map.fitBounds([west, south, east, north], { padding: 40, animate: false, maxZoom: 12 });
  }, [map, bounds]);
  return (
    <div ref={container} className="map" role="region" aria-label="Coverage of the catalog" data-ready={map && ""} />
  );
}
