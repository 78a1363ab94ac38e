/** What a place may have besides its kind. */
export const attributes = [
  "open_24h",
  "open_now",
  "vegan",
  "vegetarian",
  "halal",
  "kosher",
  "gluten_free",
  "outdoor_seating",
  "takeaway",
  "delivery",
  "wheelchair",
  "wifi",
  "dogs",
  "drive_through",
  "stars",
] as const;

export type Attribute = (typeof attributes)[number];
