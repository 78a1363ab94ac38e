import type { Place } from "../../places/place.ts";

export type Contact = Place["contacts"][number];

/** How a visit ended: every enrichment state of a place but `not_requested`. */
type State = Exclude<Place["enrichmentState"], "not_requested">;

/** What a visit to a business's own website found, however far it came. */
export type EnrichmentResult = {
  state: State;
  /** E-mail addresses first, then social profiles. */
  contacts: Contact[];
  checkedAt: string;
};

/** The most of each kind that a record carries. */
export const contactsMax = 100;
