/** The tags of OpenStreetMap that make a named thing a place people look for, most telling first. */
export const businessKeys: ReadonlySet<string> = new Set([
  "shop",
  "amenity",
  "tourism",
  "office",
  "craft",
  "healthcare",
  "leisure",
]);

/** Values that say there is no business, or none any more. */
const nothing = new Set(["no", "none", "vacant", "disused", "abandoned", "closed"]);

/** A business-like place: it has a name, and one of the telling tags with a value that means something. */
export function isBusiness(tags: Readonly<Record<string, string>>): boolean {
  if (!tags["name"]) return false;
  for (const key of businessKeys) {
    const value = tags[key];
    if (value !== undefined && !nothing.has(value)) return true;
  }
  return false;
}
