/** A town, a state or a boundary as questions find it by its name, of an import or of the world's list. */
export type KnownArea = {
  /** Empty for an area of the world's list. */
  sourceId: string;
  name: string;
  names: readonly string[];
  kind: "country" | "region" | "city" | "town" | "village" | "suburb";
  latitude: number;
  longitude: number;
  /** Degrees: south, west, north, east; null where only a point is known. */
  box: readonly [number, number, number, number] | null;
  population: number | null;
  countryCode: string | null;
  /** The administrative level, where it is such a unit. */
  level: number | null;
  /** What its outline is kept under; null where it has none. */
  shapeKey: string | null;
};
