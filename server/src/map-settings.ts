import type { MapTiles } from "./console/index.ts";
import { setting, text } from "./platform/settings.ts";

export const mapSettings = {
  mapTiles: setting(
    "WAYPOST_MAP_TILES",
    undefined,
    tileTemplate,
    "Raster tiles for the dashboard's maps, such as https://tiles.example.com/{z}/{x}/{y}.png; people's browsers fetch them. Unset: the built-in base map, which calls no other host.",
  ),
  mapAttribution: setting(
    "WAYPOST_MAP_ATTRIBUTION",
    undefined,
    text(),
    "Whom the maps name as the source of WAYPOST_MAP_TILES, as its terms ask for.",
  ),
};

type MapConfig = { [Name in keyof typeof mapSettings]: ReturnType<(typeof mapSettings)[Name]["read"]> };

export function mapTilesOf({ mapTiles: url, mapAttribution }: MapConfig): MapTiles | undefined {
  return url === undefined ? undefined : { url, attribution: mapAttribution ?? null };
}

/** A page that came over HTTPS shows nothing that comes over plain HTTP, except from the machine itself. */
function tileTemplate(value: string): string {
  const url = URL.parse(value.replaceAll(/\{[xyz]\}/g, "0"));
  const isLoopback = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isFetched = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback);
  const [host = ""] = value.split("://").slice(1);
  const namesTile = ["{x}", "{y}", "{z}"].every((part) => host.slice(host.indexOf("/")).includes(part));
  if (isFetched && namesTile && !/[{}]/.test(value.replaceAll(/\{[xyz]\}/g, ""))) return value;
  throw new Error(
    "must be a URL that begins with https:// and has {z}, {x} and {y} in its path; write one, or unset it for the built-in map",
  );
}
