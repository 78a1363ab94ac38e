import type { Place } from "./place.ts";

type KnownFields = {
  /** Whether a field in this state is to keep what is known of it. */
  isMissing(path: string, state: unknown): boolean;
  valueOf(field: string): unknown;
};

/** A field that a listing lacks keeps its known value, and is then not empty any more. */
export function withKnownFields(listing: Place, { isMissing, valueOf }: KnownFields): Place {
  const missing = Object.entries(listing.fieldStates).filter(([path, state]) => isMissing(path, state));
  if (missing.length === 0) return listing;
  const place: Record<string, unknown> = { ...listing };
  const fieldStates: Record<string, unknown> = { ...listing.fieldStates };
  for (const [path, state] of missing) {
    const [field = "", part] = path.split(".");
    const known = valueOf(field);
    const value = part === undefined ? known : partOf(known, part);
    if (isEmpty(value)) continue;
    if (path === "openingHours.weekly" && haveNewHours(listing, known)) {
      // The text of a week with a holiday in it is no news of the hours: the known ones stay, with their own text.
      if (state !== "not_supplied") continue;
      place[field] = known;
    }
    place[field] = part === undefined ? value : { ...asObject(place[field]), [part]: value };
    delete fieldStates[path];
  }
  return { ...place, fieldStates } as Place; // each value came out of this same field of a listing
}

/** A table of hours is what its text was read as: with another text beside it, it would be wrong. */
function haveNewHours({ openingHours }: Place, known: unknown): boolean {
  const raw = openingHours?.raw ?? null;
  return raw !== null && raw !== partOf(known, "raw");
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function partOf(value: unknown, part: string): unknown {
  return asObject(value)[part];
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
