import { useRef } from "react";
import type { Catalog } from "../api/catalog.ts";
import { useFit, useMap } from "./use-map.ts";

/** Where the catalog has places. */
export function CatalogMap({ bounds }: { bounds: Catalog["bounds"] }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useMap(container);
  useFit(map, bounds ? [bounds[1], bounds[0], bounds[3], bounds[2]] : undefined, 40, 12);
  return (
    <div ref={container} className="map" role="region" aria-label="Coverage of the catalog" data-ready={map && ""} />
  );
}
