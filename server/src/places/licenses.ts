import type { PlaceRecord } from "./record.ts";

/** What the publisher of a family of data sets gives its places under, where a record says nothing else. */
const byFamily: Readonly<Record<string, readonly string[]>> = {
  osm: ["ODbL-1.0"],
  alltheplaces: ["CC0-1.0"],
  foursquare: ["Apache-2.0"],
  overture: ["CDLA-Permissive-2.0"],
};

/** The licenses of a record, as SPDX ids; none where nobody says. */
export function licensesOf({ sourceId, licenses }: Pick<PlaceRecord, "sourceId" | "licenses">): readonly string[] {
  return licenses ?? byFamily[sourceId.slice(0, sourceId.indexOf(":"))] ?? [];
}
