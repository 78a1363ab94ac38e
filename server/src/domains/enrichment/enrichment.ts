import type { Place } from "../../sources/place.ts";

export type Contact = Place["contacts"][number];

type FieldState = "absent" | "not_supplied" | "not_supported" | "parse_failed";

/** How a visit ended: every state of a place but the one of not having been asked. */
type State = Exclude<Place["enrichmentState"], "not_requested">;

/** What a visit to a business's own website found, however far it came. */
export type EnrichmentResult = {
  state: State;
  emails: string[];
  socialProfiles: string[];
  contacts: Contact[];
  checkedAt: string;
};

/** The most of each kind that a record carries. */
export const contactsMax = 100;

/** Adds what a visit found to what the source knew, and says of what is still empty why. */
export function apply(place: Place, result: EnrichmentResult): Place {
  const { state } = result;
  const enriched = {
    emails: union(place.emails, result.emails),
    socialProfiles: union(place.socialProfiles, result.socialProfiles),
    contacts: result.contacts,
    contactsCheckedAt: state === "no_website" ? null : result.checkedAt,
  };
  const fieldStates: Record<string, FieldState> = { ...place.fieldStates };
  for (const [field, value] of Object.entries(enriched)) {
    if (value === null || value.length === 0)
      fieldStates[field] = state === "done" || state === "no_website" ? "absent" : "not_supplied";
    else delete fieldStates[field];
  }
  return { ...place, ...enriched, enrichmentState: state, fieldStates };
}

function union(known: readonly string[], found: readonly string[]): string[] {
  const byKey = new Map([...found, ...known].map((value) => [value.toLowerCase(), value]));
  for (const value of known) byKey.delete(value.toLowerCase());
  return [...known, ...byKey.values()].slice(0, contactsMax);
}
