import type { Place } from "../../places/place.ts";
import type { EnrichmentResult } from "./enrichment.ts";

/** Reads a business's own website. It rejects only when the signal was aborted. */
export type WebsiteReader = { enrich(website: string, signal: AbortSignal): Promise<EnrichmentResult> };

// A second more than a visit may take: the visit then ends first and keeps what it has found.
const deadlineMs = 16_000;
const itemsMax = 100;

/** Reads the websites of a whole page concurrently, each once, under one deadline. */
export async function enrichListings(
  enrichment: WebsiteReader,
  listings: readonly Place[],
  signal: AbortSignal,
  withinMs = deadlineMs,
): Promise<Place[]> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const visits = new Map<string, Promise<EnrichmentResult | undefined>>();
  return Promise.all(
    listings.map(async (place) => {
      if (place.website === null) return withContacts(place, "no_website");
      const visit = visits.get(place.website) ?? visitUntil(enrichment, place.website, either);
      visits.set(place.website, visit);
      const found = await visit;
      signal.throwIfAborted();
      return withContacts(place, found?.state ?? "timed_out", found);
    }),
  );
}

/** Resolves to undefined at the deadline, also when the visit ignores its signal. */
async function visitUntil(
  { enrich }: WebsiteReader,
  website: string,
  signal: AbortSignal,
): Promise<EnrichmentResult | undefined> {
  const ended = Promise.withResolvers<undefined>();
  const end = () => ended.resolve(undefined);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([enrich(website, signal), ended.promise]);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function withContacts(place: Place, enrichmentState: Place["enrichmentState"], found?: EnrichmentResult): Place {
  const contacts = found?.contacts ?? [];
  const valuesOf = (type: "email" | "social") =>
    contacts.filter((contact) => contact.type === type).map(({ value }) => value);
  const fields = {
    emails: together(place.emails, valuesOf("email")),
    socialProfiles: together(place.socialProfiles, valuesOf("social")),
    contacts,
    contactsCheckedAt: found && enrichmentState !== "no_website" ? found.checkedAt : null,
  };
  return {
    ...place,
    ...fields,
    enrichmentState,
    fieldStates: explainEmptyFields(place.fieldStates, fields, enrichmentState),
  };
}

/** A website without contacts has none; one that was not read withheld them. */
function explainEmptyFields(
  states: object,
  fields: object,
  enrichmentState: Place["enrichmentState"],
): Place["fieldStates"] {
  const reason = enrichmentState === "done" || enrichmentState === "no_website" ? "absent" : "not_supplied";
  const explained: Record<string, unknown> = { ...states };
  for (const [field, value] of Object.entries(fields)) {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (isEmpty) explained[field] = reason;
    else delete explained[field];
  }
  return explained;
}

/** As the source wrote them, then what is new, whichever way it is spelled. */
function together(listed: readonly string[], found: readonly string[]): string[] {
  const known = new Set(listed.map((value) => value.toLowerCase()));
  const fresh = new Map(found.map((value) => [value.toLowerCase(), value]));
  const added = [...fresh].filter(([key]) => !known.has(key)).map(([, value]) => value);
  return [...listed, ...added].slice(0, itemsMax);
}
