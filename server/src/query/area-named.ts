import { outlineOf } from "../geography/country.ts";
import type { Box, Point, Polygons } from "../geography/points.ts";
import { radiusOf } from "./names.ts";
import type { Reading } from "./read.ts";
import { isNamedWhere } from "./spans.ts";

/** What the name of an area stands for on the map. */
export type AreaOnMap =
  /** With an id the index knows of each place whether it lies there. */
  | { kind: "box"; box: Box; id?: string }
  | { kind: "circle"; center: Point; radiusM: number }
  | { kind: "polygons"; polygons: Polygons };

/** The area that all of a text names; undefined where it names something else besides. */
export function areaNamed({ interpretations }: Reading): AreaOnMap | undefined {
  for (const { want, where } of interpretations) {
    const [named, ...others] = where.filter(isNamedWhere);
    if (want.kinds.length > 0 || want.words.length > 0 || !named || !("in" in named) || others.length > 0) continue;
    const { kind, country, box, center, id, isOutlined } = named.in;
    const polygons = kind === "country" && country !== null ? outlineOf(country) : [];
    if (polygons.length > 0) return { kind: "polygons", polygons };
    if (box && isOutlined && id !== null) return { kind: "box", box, id };
    return box ? { kind: "box", box } : { kind: "circle", center, radiusM: radiusOf(named.in) };
  }
  return undefined;
}
