import type { Place } from "./place.ts";
import type { Shape } from "../geography/shape.ts";

/**
 * One place as an import delivers it and the catalog keeps it: what is true of it in any
 * language. A listing in the language of a request is made from it when it is found.
 */
export type PlaceRecord = {
  /** Unique among all data sets: `osm:n240095767`, `overture:08f1…`, `csv:` with the data set's hash and its own id. */
  sourceId: string;
  /** Empty where only its kind finds the place: toilets, a cash machine. */
  name: string;
  /** By language tag, lower case. */
  namesByLanguage: Record<string, string>;
  /** Further names it is found by: official, short, old, brand. */
  otherNames: string[];
  /** Ids of our vocabulary, such as `amenity/cafe`, best first. */
  categories: string[];
  /** Labels of the source's own for kinds the vocabulary does not know, and finer ones such as cuisines. */
  categoryLabels: string[];
  /** The first label is what the source itself calls the place, and leads. */
  isLabelFirst?: boolean;
  latitude: number;
  longitude: number;
  /** When the publisher last knew the place, as a timestamp; missing where it says so of the data set alone. */
  observedAt?: string;
  /** How sure the publisher is that the place exists, 0 to 1. */
  confidence?: number;
  /** The licenses of what is said here, as SPDX ids; missing where the data set's holds. */
  licenses?: string[];
  /** `street` includes the house number; `suburb` is the part of the town, where addresses name it. */
  address: Omit<Place["address"], "formatted" | "municipality"> & {
    suburb?: string;
    /** All of it on one line, where the source does not say its parts. */
    full?: string;
  };
  /**
   * Whatever else of a listing does not depend on the language of the request. A null is what the data set has a place
   * for and does not say of this business.
   */
  details: Partial<
    Pick<
      Place,
      | "hotelClass"
      | "rating"
      | "reviewCount"
      | "priceRange"
      | "phones"
      | "owner"
      | "knowledgeUrl"
      | "featuredImageUrl"
      | "businessStatus"
      | "website"
      | "emails"
      | "socialProfiles"
      | "openingHours"
      | "mapsUrl"
    >
  > & {
    /** By language tag; under the empty tag in a language the source does not name. */
    descriptionsByLanguage?: Record<string, string>;
    /** What the source has and nobody could read. */
    unreadable?: ("phones" | "website")[];
    /** Facts such as `outdoor_seating=yes`, as tags; they become amenities and about. */
    features?: Record<string, string>;
  };
};

/** A town or a boundary: what the *where* of a query is matched against. Or a landmark, which others lie near. */
export type AreaRecord = {
  sourceId: string;
  name: string;
  namesByLanguage: Record<string, string>;
  /** Official, short, local and alternative names. */
  otherNames?: string[];
  kind: "country" | "region" | "city" | "town" | "village" | "suburb" | "landmark";
  latitude: number;
  longitude: number;
  /** Degrees: south, west, north, east; null where the import has only a point. */
  box: readonly [number, number, number, number] | null;
  population: number | null;
  countryCode: string | null;
  /** The administrative level, where it is such a unit. */
  level?: number | null;
  /** The outline, where the import has it whole. */
  shape?: Shape | null;
};

/** What a reader of an import file yields, one after another. */
export type RecordItem = { place: PlaceRecord } | { area: AreaRecord };
