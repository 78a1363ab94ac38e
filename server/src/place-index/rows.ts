/** A record of a place, as PostgreSQL has it. */
export type RecordRow = {
  number: number;
  dataSetId: number;
  countryCode: string;
  /** The source ids of the areas that it lies in, the widest first. */
  areas: readonly string[];
  rank: number;
  latitude: number;
  longitude: number;
  nameWords: string;
  otherWords: string;
  categories: readonly string[];
  /** JSON of its PlaceRecord. */
  text: string;
};

/** A place with its records, the leading one first. */
export type PlaceRow = { place: number; businessId: string; revision: number; records: readonly RecordRow[] };

/** A town or boundary, without its shape. */
export type AreaRow = {
  sourceId: string;
  dataSetId: number;
  name: string;
  names: readonly string[];
  kind: string;
  latitude: number;
  longitude: number;
  box: readonly number[] | null;
  population: number | null;
  countryCode: string | null;
  level: number | null;
};
