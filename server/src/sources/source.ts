import type { Place } from "./place.ts";

/** What a caller looks for, with the defaults filled in. */
export type SourceQuery = {
  q: string;
  page: number;
  hl: string;
  ll?: string;
  gl?: string;
  extra: boolean;
};

/** One page of what a source found. A source that found nothing says so with an empty page. */
export type SourcePage = {
  listings: readonly Place[];
};

export type Source = {
  readonly name: string;
  search(query: SourceQuery, signal: AbortSignal): Promise<SourcePage>;
};

export const listingsMax = 20;
