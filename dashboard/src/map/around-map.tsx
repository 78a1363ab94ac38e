import { useQuery } from "@tanstack/react-query";
import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { useEffect, useRef } from "react";
import { catalogQuery } from "../api/catalog.ts";
import { useFit, useMap } from "./use-map.ts";

type AroundMapProps = {
  /** `@latitude,longitude,zoom` and a z, as a search has it; empty for none. */
  around: string;
  onMove(around: string): void;
};

/** A map whose middle and zoom say where a search looks. It begins at what is given, or where the catalog has places. */
export function AroundMap({ around, onMove }: AroundMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const map = useMap(container);
  const { data: catalog } = useQuery(catalogQuery);
  const bounds = catalog?.bounds;
  useFit(map, bounds && around === "" ? [bounds[1], bounds[0], bounds[3], bounds[2]] : undefined, 40, 14);

  useEffect(() => {
    const given = map && readAround(around);
    // The field follows the map, which then is where the field says.
    if (given && aroundOf(map) !== around) map.jumpTo(given);
  }, [map, around]);

  useEffect(() => {
    if (!map) return undefined;
    // Only a person's own moves count, by pointer or keys.
    const follow = ({ originalEvent }: { originalEvent?: unknown }) => originalEvent && onMove(aroundOf(map));
    const center = ({ lngLat, originalEvent }: MapMouseEvent) => map.easeTo({ center: lngLat }, { originalEvent });
    map.on("moveend", follow);
    map.on("click", center);
    return () => {
      map.off("moveend", follow);
      map.off("click", center);
    };
  }, [map, onMove]);

  return (
    <div ref={container} className="map around" role="region" aria-label="Where to search" data-ready={map && ""} />
  );
}

function aroundOf(map: MapLibre): string {
  const { lat, lng } = map.getCenter().wrap();
  const zoom = Math.min(21, Math.max(1, Math.round(map.getZoom())));
  return `@${lat.toFixed(4)},${lng.toFixed(4)},${zoom}z`;
}

function readAround(around: string): { center: [number, number]; zoom: number } | undefined {
  const [, latitude, longitude, zoom] = /^@(-?[\d.]+),(-?[\d.]+),(\d+)z$/.exec(around)?.map(Number) ?? [];
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { center: [longitude, latitude], zoom } : undefined;
}
