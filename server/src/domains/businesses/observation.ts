import { newUuid } from "../../platform/ids.ts";
import { isEmpty, withKnownFields } from "../../places/known-fields.ts";
import { catalogBusiness, type Place } from "../../places/place.ts";
import { addedFacets, type Content, type Facet, facetsOf, isLasting, kindOf, knownValue } from "./facets.ts";

/** A business as it is stored; of a place of the catalog what is added to it. */
export type StoredBusiness = {
  id: string;
  /** A client sees the sum of the two. */
  revision: number;
  /** Of the place of the catalog, also after that has left. */
  placeRevision: number;
  isStored: boolean;
  fingerprints: Record<string, string>;
  /** Null when it was not read. */
  content: Content | null;
};

export type Observation = {
  /** The listing, with what the source withheld this time filled in. */
  place: Place;
  /** The business after it was seen. */
  business: StoredBusiness;
  /** Whether something has to be stored. */
  hasChanges: boolean;
};

/** Whether a listing needs stored content, because the source withheld a field. */
export function needsContent(place: Place): boolean {
  return (
    contactsAreWithheld(place) ||
    (place[catalogBusiness] !== undefined && mayAdd(place)) ||
    Object.entries(place.fieldStates).some(([path, state]) => isWithheld(path, state))
  );
}

/** Compares a listing with its stored business, or makes a new one. Pure: nothing is stored here. */
export function observe(listing: Place, stored: StoredBusiness | undefined): Observation {
  if (!stored) return firstSeen(listing);

  const place = stored.content ? withKnown(listing, stored.content) : listing;
  const changed = facetsOf(place).filter(
    ({ name, fingerprint }) => stored.fingerprints[name] !== fingerprint && hasRoom(stored.fingerprints, name),
  );
  if (changed.length === 0) return { place, business: stored, hasChanges: false };

  const rise = changed.some((facet) => changes(stored.fingerprints, facet)) ? 1 : 0;
  return { place, business: add(stored, changed, stored.revision + rise), hasChanges: true };
}

function firstSeen(place: Place): Observation {
  return { place, business: add(nothingOf(newUuid(), 0), facetsOf(place), 1), hasChanges: true };
}

/** A business that nothing is stored of. */
export function nothingOf(id: string, placeRevision: number): StoredBusiness {
  return { id, revision: 0, placeRevision, isStored: false, fingerprints: {}, content: {} };
}

/**
 * The same of a place of the catalog, of which an import has stored what the catalog says: what is compared is what was
 * added to that. Of contacts those that the website gives, since the others are the catalog's.
 */
export function observePlace(listing: Place, stored: StoredBusiness): Observation {
  const place = stored.content ? withKnown(listing, stored.content) : listing;
  const added = addedFacets(place).filter((facet) => isNews(stored, facet));
  if (added.length === 0) return { place, business: stored, hasChanges: false };
  return { place, business: add(stored, added, stored.revision + 1), hasChanges: true };
}

/** Whether a listing of the catalog may say something that an import has not stored. */
function mayAdd({ enrichmentState, reviews, photos }: Place): boolean {
  return enrichmentState !== "not_requested" || reviews.length > 0 || photos.length > 0;
}

function isNews({ fingerprints, content }: StoredBusiness, facet: Facet): boolean {
  const said = facet.content();
  if (facet.name === "contacts") {
    return seen(said.contacts).join("\n") !== seen(content?.["contacts"]?.contacts).join("\n");
  }
  const isKnown = fingerprints[facet.name] !== undefined;
  const isEmptyNow = [said.reviews, said.photos].every((list) => (list ?? []).length === 0);
  return (
    fingerprints[facet.name] !== facet.fingerprint && (isKnown || !isEmptyNow) && hasRoom(fingerprints, facet.name)
  );
}

function seen(contacts: Place["contacts"] = []): string[] {
  return contacts.map(({ type, value, sourceUrl }) => JSON.stringify([type, value, sourceUrl]));
}

function add(stored: StoredBusiness, facets: readonly Facet[], revision: number): StoredBusiness {
  const { fingerprints, content } = stored;
  return {
    ...stored,
    revision,
    fingerprints: { ...fingerprints, ...Object.fromEntries(facets.map((facet) => [facet.name, facet.fingerprint])) },
    content: { ...content, ...Object.fromEntries(facets.map((facet) => [facet.name, facet.content()])) },
  };
}

/**
 * A facet that was known and reads otherwise is a change. One that was never seen is a change when
 * it says more about the business, and none when it only says it in another language.
 */
function changes(fingerprints: Record<string, string>, { name, fingerprint, content }: Facet): boolean {
  if (fingerprints[name] !== undefined) return true;
  // The first that another kind of source tells of a known business.
  if (name.endsWith("base")) return true;
  if (name.endsWith("contacts")) return fingerprint !== fingerprints[name.replace("contacts", "listed")];
  if (name === "photos") return (content().photos ?? []).length > 0;
  if (!name.startsWith("reviews/")) return false;
  return (
    (content().reviews ?? []).length > 0 && !Object.keys(fingerprints).some((known) => known.startsWith("reviews/"))
  );
}

// A client may name any language tag. Beyond this many, a listing in a further one is answered and
// not remembered.
const facetsMax = 64;

function hasRoom(fingerprints: Record<string, string>, name: string): boolean {
  return fingerprints[name] !== undefined || Object.keys(fingerprints).length < facetsMax;
}

/** A field that the source withheld keeps its known value. */
function withKnown(listing: Place, content: Content): Place {
  const filled = withKnownFields(listing, {
    isMissing: isWithheld,
    valueOf: (field) => knownValue(content, listing, field),
  });
  return contactsAreWithheld(listing) ? withKnownContacts(filled, content[`${kindOf(listing)}contacts`] ?? {}) : filled;
}

/** A website that could not be read today keeps what it said before. */
function withKnownContacts(place: Place, known: Partial<Place>): Place {
  const { emails = [], socialProfiles = [], contacts = [], contactsCheckedAt = null } = known;
  const filled = {
    ...place,
    emails: [...new Set([...place.emails, ...emails])].slice(0, 100),
    socialProfiles: [...new Set([...place.socialProfiles, ...socialProfiles])].slice(0, 100),
    contacts: place.contacts.length > 0 ? place.contacts : contacts,
    contactsCheckedAt: place.contactsCheckedAt ?? contactsCheckedAt,
  };
  const fieldStates: Record<string, unknown> = { ...place.fieldStates };
  for (const field of ["emails", "socialProfiles", "contacts", "contactsCheckedAt"] as const) {
    if (!isEmpty(filled[field])) delete fieldStates[field];
  }
  return { ...filled, fieldStates };
}

function contactsAreWithheld({ enrichmentState }: Place): boolean {
  return ["blocked_by_robots", "failed", "timed_out"].includes(enrichmentState);
}

/** What was not requested is withheld too, where it is part of what is always known. */
function isWithheld(path: string, state: unknown): boolean {
  if (state === "not_requested") return isLasting(path.split(".", 1)[0] ?? "");
  return state === "not_supplied" || state === "parse_failed";
}
