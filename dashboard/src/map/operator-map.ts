import type { StyleSpecification } from "maplibre-gl";
import { read } from "../api/client.ts";

/** What the operator shows in place of the built-in base map: raster tiles over it, or a whole style. */
export type OperatorMap = { tiles: string | null; style: StyleSpecification | null; attribution: string | null };

const styleDeadlineMs = 10_000;

let loaded: Promise<OperatorMap | null> | undefined;

/** The operator's own map; null where there is none, or where its host does not answer. */
export function loadOperatorMap(): Promise<OperatorMap | null> {
  loaded ??= load().catch(() => {
    loaded = undefined;
    return null;
  });
  return loaded;
}

async function load(): Promise<OperatorMap | null> {
  const { map } = await read<{ map: (Omit<OperatorMap, "style"> & { style: string | null }) | null }>("/map");
  if (!map?.style) return map && { ...map, style: null };
  const response = await fetch(map.style, { signal: AbortSignal.timeout(styleDeadlineMs) });
  if (!response.ok) throw new Error(`the map style answered ${response.status}`);
  return { ...map, style: (await response.json()) as StyleSpecification };
}
