import { Map as MapLibre, NavigationControl, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import { type RefObject, useEffect, useRef, useState } from "react";
import { addCatalogLayers } from "./catalog-layers.ts";
import { baseStyle, loadBaseMap } from "./base-style.ts";

setWorkerUrl(workerUrl);

/** A map in an element, once its base has been drawn; undefined until then. */
export function useMap(container: RefObject<HTMLDivElement | null>): MapLibre | undefined {
  const [map, setMap] = useState<MapLibre>();
  const made = useRef<MapLibre>(undefined);
  useEffect(() => {
    let isGone = false;
    async function make() {
      const style = baseStyle(await loadBaseMap());
      if (isGone || !container.current) return;
      const next = new MapLibre({
        container: container.current,
        style,
        center: [10, 30],
        zoom: 1,
        attributionControl: { compact: true },
        renderWorldCopies: true,
      });
      next.addControl(new NavigationControl({ showCompass: false }), "top-right");
      made.current = next;
      await next.once("load");
      if (isGone) return;
      addCatalogLayers(next);
      // What a picture waits for.
      next.on("idle", () => container.current?.setAttribute("data-idle", ""));
      setMap(next);
    }
    void make();
    return () => {
      isGone = true;
      made.current?.remove();
    };
  }, [container]);
  return map;
}
