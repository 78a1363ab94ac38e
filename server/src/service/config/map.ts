import type { OperatorMap } from "../../console/index.ts";
import { setting, text } from "../../platform/settings.ts";

export const mapSettings = {
  mapTiles: setting(
    "WAYPOST_MAP_TILES",
    undefined,
    tileTemplate,
    "Raster tiles for the dashboard's maps, such as https://tiles.example.com/{z}/{x}/{y}.png; people's browsers fetch them. Unset: the built-in base map, which calls no other host.",
  ),
  mapStyle: setting(
    "WAYPOST_MAP_STYLE",
    undefined,
    styleUrl,
    "A MapLibre style for the dashboard's maps, such as https://tiles.example.com/style.json, in place of WAYPOST_MAP_TILES: vector tiles, with glyphs and sprites, all from the host of the style itself.",
  ),
  mapAttribution: setting(
    "WAYPOST_MAP_ATTRIBUTION",
    undefined,
    text(),
    "Whom the maps name as the source of WAYPOST_MAP_TILES or WAYPOST_MAP_STYLE, as its terms ask for.",
  ),
};

type MapConfig = { [Name in keyof typeof mapSettings]: ReturnType<(typeof mapSettings)[Name]["read"]> };

/** The operator's base map; undefined when maps show the built-in one alone. */
export function operatorMapOf({ mapTiles, mapStyle, mapAttribution }: MapConfig): OperatorMap | undefined {
  if (mapTiles === undefined && mapStyle === undefined) return undefined;
  return { tiles: mapTiles ?? null, style: mapStyle ?? null, attribution: mapAttribution ?? null };
}

/** A line when two base maps are configured at once. */
export function mapProblems({ mapTiles, mapStyle }: Partial<MapConfig>): string[] {
  if (mapTiles === undefined || mapStyle === undefined) return [];
  return ["WAYPOST_MAP_STYLE is set beside WAYPOST_MAP_TILES, and a map has one base: unset one of the two."];
}

function tileTemplate(value: string): string {
  const isFetched = isFetchedByPages(value.replaceAll(/\{[xyz]\}/g, "0"));
  const [host = ""] = value.split("://").slice(1);
  const namesTile = ["{x}", "{y}", "{z}"].every((part) => host.slice(host.indexOf("/")).includes(part));
  if (isFetched && namesTile && !/[{}]/.test(value.replaceAll(/\{[xyz]\}/g, ""))) return value;
  throw new Error(
    "must be a URL that begins with https:// and has {z}, {x} and {y} in its path; write one, or unset it for the built-in map",
  );
}

function styleUrl(value: string): string {
  if (isFetchedByPages(value) && !/[{}]/.test(value)) return value;
  throw new Error("must be the URL of a style that begins with https://; write one, or unset it for the built-in map");
}

/** A page that came over HTTPS shows nothing that comes over plain HTTP, except from the machine itself. */
function isFetchedByPages(value: string): boolean {
  const url = URL.parse(value);
  const isLoopback = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback);
}
