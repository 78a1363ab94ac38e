import type { AddLayerObject, GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import { useEffect } from "react";
import { townNames } from "./catalog-layers.ts";

type Layer = Omit<AddLayerObject & { type: string }, "source">;

/** Keeps a GeoJSON source with its layers on a map, and its data current. The layers are read once. */
export function useGeoJson(
  map: MapLibre | undefined,
  id: string,
  data: GeoJSON.FeatureCollection,
  layers: () => readonly Layer[],
): void {
  useEffect(() => {
    if (!map || map.getSource(id)) return undefined;
    map.addSource(id, { type: "geojson", data: { type: "FeatureCollection", features: [] } });
    // The names of towns stay on top.
    const above = map.getLayer(townNames) ? townNames : undefined;
    for (const layer of layers()) map.addLayer({ ...layer, source: id } as AddLayerObject, above);
    return undefined;
    // The map takes its sources along when it goes.
  }, [map, id, layers]);

  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(data);
  }, [map, id, data]);
}

export function polygonOf(ring: readonly (readonly [number, number])[]): GeoJSON.Polygon {
  return { type: "Polygon", coordinates: [ring.map(([longitude, latitude]) => [longitude, latitude])] };
}

/** A box, south, west, north, east, as the ring around it. */
export function ringOf([south, west, north, east]: readonly [number, number, number, number]): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
