import { licensesOf } from "../licenses.ts";
import type { PlaceRecord } from "../record.ts";

/** One business from all its records: the first leads, the others fill what it lacks. */
export function mergeRecords([lead, ...others]: readonly [PlaceRecord, ...PlaceRecord[]]): PlaceRecord {
  return others.reduce(fill, lead);
}

function fill(lead: PlaceRecord, other: PlaceRecord): PlaceRecord {
  const otherNames = union(lead.otherNames, [other.name, ...other.otherNames]).filter((name) => name !== lead.name);
  const details: PlaceRecord["details"] = { ...other.details, ...given(lead.details) };
  for (const field of ["phones", "emails", "socialProfiles"] as const) {
    const values = union(lead.details[field] ?? [], other.details[field] ?? []);
    if (values.length > 0) details[field] = values;
  }
  const features = { ...other.details.features, ...lead.details.features };
  if (Object.keys(features).length > 0) details.features = features;
  const descriptions = { ...other.details.descriptionsByLanguage, ...lead.details.descriptionsByLanguage };
  if (Object.keys(descriptions).length > 0) details.descriptionsByLanguage = descriptions;
  return {
    ...lead,
    ...provenanceOf(lead, other),
    namesByLanguage: { ...other.namesByLanguage, ...lead.namesByLanguage },
    otherNames,
    categories: union(lead.categories, other.categories),
    categoryLabels: union(lead.categoryLabels, other.categoryLabels),
    address: { ...other.address, ...given(lead.address) },
    details,
  };
}

type Provenance = Pick<PlaceRecord, "observedAt" | "confidence" | "licenses">;

/** A business was last known when any of its publishers knew it, is as sure as the surest, and has all their licenses. */
function provenanceOf(lead: PlaceRecord, other: PlaceRecord): Provenance {
  const [first = "", second = ""] = [lead.observedAt, other.observedAt];
  // Who says nothing of doubt has none.
  const confidence = Math.max(lead.confidence ?? 1, other.confidence ?? 1);
  const licenses = union(licensesOf(lead), licensesOf(other));
  return {
    ...(first + second === "" ? {} : { observedAt: first > second ? first : second }),
    confidence,
    ...(licenses.length > 0 ? { licenses } : {}),
  };
}

/** The fields that say something. */
function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>; // some of the fields it came with
}

function union(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}
