import { Map as MapLibre, NavigationControl, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import { type RefObject, useEffect, useRef, useState } from "react";
import { onThemeChange } from "../layout/theme.ts";
import { addCatalogLayers } from "./catalog-layers.ts";
import { baseStyle, loadBaseMap } from "./base-style.ts";
import { loadOperatorMap } from "./operator-map.ts";

setWorkerUrl(workerUrl);

type View = { center: [number, number]; zoom: number };

const wholeEarth: View = { center: [10, 30], zoom: 1 };

/** A map in an element, once its base has been drawn; undefined until then. Another theme makes it once more. */
export function useMap(container: RefObject<HTMLDivElement | null>): MapLibre | undefined {
  const [map, setMap] = useState<MapLibre>();
  const [themeChanges, setThemeChanges] = useState(0);
  const view = useRef(wholeEarth);
  useEffect(() => onThemeChange(() => setThemeChanges((count) => count + 1)), []);
  useEffect(() => {
    let isGone = false;
    let made: MapLibre | undefined;
    async function make() {
      const [base, operator] = await Promise.all([loadBaseMap(), loadOperatorMap()]);
      if (isGone || !container.current) return;
      const next = new MapLibre({
        container: container.current,
        style: baseStyle(base, operator),
        ...view.current,
        attributionControl: {
          compact: true,
          ...(operator?.attribution ? { customAttribution: operator.attribution } : {}),
        },
        renderWorldCopies: true,
      });
      next.addControl(new NavigationControl({ showCompass: false }), "top-right");
      made = next;
      // Not "load", which waits for every tile of the first view: a host that is slow must not hold back what we draw.
      await next.once("style.load");
      if (isGone) return;
      addCatalogLayers(next);
      // What a picture waits for.
      next.on("render", () => container.current?.removeAttribute("data-idle"));
      next.on("idle", () => container.current?.setAttribute("data-idle", ""));
      setMap(next);
    }
    void make();
    return () => {
      isGone = true;
      if (made) view.current = { center: made.getCenter().toArray(), zoom: made.getZoom() };
      made?.remove();
      setMap(undefined);
    };
  }, [container, themeChanges]);
  return map;
}

type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Shows what lies within bounds, once for each: a map that is made again keeps what its reader looks at. */
export function useFit(map: MapLibre | undefined, bounds: Bounds | undefined, padding: number, maxZoom?: number) {
  const fitted = useRef<string>(undefined);
  const wanted = bounds?.join();
  useEffect(() => {
    if (!map || wanted === undefined || fitted.current === wanted) return;
    fitted.current = wanted;
    const [west = 0, south = 0, east = 0, north = 0] = wanted.split(",").map(Number);
    map.fitBounds([west, south, east, north], { padding, animate: false, ...(maxZoom ? { maxZoom } : {}) });
  }, [map, wanted, padding, maxZoom]);
}
