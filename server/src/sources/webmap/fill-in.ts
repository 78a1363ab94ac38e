import type { Place } from "../place.ts";

/** A listing made of a place's details; what could not be read there, or was withheld, is as the search answer has it. */
export function fillIn(detailed: Place, searched: Place): Place {
  const unread = Object.entries(detailed.fieldStates).filter(([, state]) => isUnread(state));
  if (unread.length === 0) return detailed;
  const place: Record<string, unknown> = { ...detailed };
  const fieldStates: Record<string, unknown> = { ...detailed.fieldStates };
  for (const [path] of unread) {
    const [field = "", part] = path.split(".");
    const known: unknown = Reflect.get(searched, field);
    const value: unknown = part === undefined ? known : partOf(known, part);
    if (isEmpty(value)) continue;
    place[field] = part === undefined ? value : { ...asObject(place[field]), [part]: value };
    delete fieldStates[path];
  }
  return { ...place, fieldStates } as Place; // each value came out of this same field of a listing
}

function isUnread(state: unknown): boolean {
  return state === "parse_failed" || state === "not_supplied";
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function partOf(value: unknown, part: string): unknown {
  return asObject(value)[part];
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
