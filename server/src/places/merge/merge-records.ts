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
    namesByLanguage: { ...other.namesByLanguage, ...lead.namesByLanguage },
    otherNames,
    categories: union(lead.categories, other.categories),
    categoryLabels: union(lead.categoryLabels, other.categoryLabels),
    address: { ...other.address, ...given(lead.address) },
    details,
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
