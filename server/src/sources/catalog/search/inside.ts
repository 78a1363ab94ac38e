import { countryAt } from "../../../geography/country.ts";
import type { Point } from "../../../geography/points.ts";
import type { Reading } from "../../../query/read.ts";
import { isNamedWhere, type NamedWhere, type Span, targetOf } from "../../../query/spans.ts";

/** A map that shows more is not of a small country alone. */
const mapRadiusMaxM = 30_000;

/** Whether the where of a question lies in the country: an area or point that it names, else the map, else `gl`. */
export function liesInside({ interpretations, spans, view }: Reading, country: string): boolean {
  const isIn = ({ latitude, longitude }: Point) => countryAt(latitude, longitude) === country;
  const isOfCountry = (span: Span) => span.type === "area" && span.area.country === country;
  const [first] = interpretations;
  const { circle } = view;
  if (!first || (view.country !== null && view.country !== country)) return false;

  const isShown = circle ? isIn(circle.center) && circle.radiusM <= mapRadiusMaxM : view.country === country;
  const named = first.where.filter(isNamedWhere);
  if (named.some((where) => isElsewhere(where, country, isIn))) return false;
  if (named.length === 0) return isShown && (circle !== null || !first.where.includes("here"));
  if (named.some((where) => "in" in where) || first.spans.some(({ type }) => type === "point")) return true;
  // Streets, postcodes and landmarks of the same name are elsewhere, too.
  return isShown || spans.some(isOfCountry);
}

function isElsewhere(where: NamedWhere, country: string, isIn: (point: Point) => boolean): boolean {
  if ("unknown" in where) return true;
  if ("in" in where) return where.in.country !== country;
  const target = targetOf(where);
  return target?.is === "point" && !isIn(target.center);
}
