import type { Place } from "../../sources/place.ts";

/** What a business's own website gave. */
export type Enriched = {
  state: Exclude<Place["enrichmentState"], "not_requested">;
  contacts: Place["contacts"];
  checkedAt: string;
};

/** Whoever looks at websites. It resolves in every case, unless the signal was aborted. */
export type Enrichment = { enrich(website: string, signal: AbortSignal): Promise<Enriched> };

// A moment more than a look may take by itself: it then ends first, and keeps what it has got.
const deadlineMs = 16_000;
const itemsMax = 100;

/** Looks at the websites of a whole page side by side, each once, under one deadline. */
export async function enrichListings(
  enrichment: Enrichment,
  listings: readonly Place[],
  signal: AbortSignal,
  withinMs = deadlineMs,
): Promise<Place[]> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const looks = new Map<string, Promise<Enriched | undefined>>();
  return Promise.all(
    listings.map(async (place) => {
      if (place.website === null) return withContacts(place, "no_website");
      const look = looks.get(place.website) ?? lookUntil(enrichment, place.website, either);
      looks.set(place.website, look);
      const found = await look;
      signal.throwIfAborted();
      return withContacts(place, found?.state ?? "timed_out", found);
    }),
  );
}

/** Resolves to undefined at the deadline, whether or not the look heeds its signal. */
async function lookUntil({ enrich }: Enrichment, website: string, signal: AbortSignal): Promise<Enriched | undefined> {
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

function withContacts(place: Place, enrichmentState: Place["enrichmentState"], found?: Enriched): Place {
  const contacts = found?.contacts ?? [];
  const valuesOf = (type: "email" | "social") =>
    contacts.filter((contact) => contact.type === type).map(({ value }) => value);
  const fields = {
    emails: together(place.emails, valuesOf("email")),
    socialProfiles: together(place.socialProfiles, valuesOf("social")),
    contacts,
    contactsCheckedAt: found && enrichmentState !== "no_website" ? found.checkedAt : null,
  };
  return { ...place, ...fields, enrichmentState, fieldStates: explain(place.fieldStates, fields, enrichmentState) };
}

/** A website without contacts has none; one that was not read withheld them. */
function explain(states: object, fields: object, enrichmentState: Place["enrichmentState"]): Place["fieldStates"] {
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
