import type { Tags } from "./element.ts";

/** The tags that become amenities and facts. */
const kept = new Set([
  "air_conditioning",
  "atm",
  "bar",
  "changing_table",
  "delivery",
  "dog",
  "drive_through",
  "highchair",
  "indoor_seating",
  "internet_access",
  "internet_access:fee",
  "microbrewery",
  "organic",
  "outdoor_seating",
  "reservation",
  "second_hand",
  "self_service",
  "smoking",
  "stroller",
  "takeaway",
  "toilets",
  "toilets:wheelchair",
  "wheelchair",
]);

function isFeature(key: string): boolean {
  return kept.has(key) || key.startsWith("payment:") || key.startsWith("diet:");
}

export function featuresOf(tags: Tags): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => isFeature(key)));
}
