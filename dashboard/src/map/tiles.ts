import { read } from "../api/client.ts";

export type Tiles = { url: string; attribution: string | null };

let loaded: Promise<Tiles | null> | undefined;

/** The operator's own tiles, which lie over the built-in base map; null where there are none. */
export function loadTiles(): Promise<Tiles | null> {
  loaded ??= read<{ tiles: Tiles | null }>("/map").then(
    ({ tiles }) => tiles,
    () => {
      loaded = undefined;
      return null;
    },
  );
  return loaded;
}
