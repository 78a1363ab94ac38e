import type { Place } from "../../places/place.ts";
import type { SourceQuery } from "../../sources/source.ts";
import { type Environment, environments } from "../api-keys/index.ts";

/** Everything that sets one operation apart from the others. A new operation is an entry here, and its fixture. */
type OperationRules = {
  /** What it does, for the API reference. */
  readonly about: string;
  /** The keys it answers. A live one also needs a configured source. */
  readonly environments: readonly Environment[];
  /** The query that the source gets. */
  sourceQuery(params: SourceQuery): SourceQuery;
  /** What of a listing the results keep. */
  project(place: Place): Place;
};

const rules = {
  "places.search": {
    about: "one page of businesses",
    environments,
    sourceQuery: (params) => params,
    project: (place) => place,
  },
  "places.reviews": {
    about: "the reviews of one page of businesses, for test keys only",
    environments: ["test"],
    sourceQuery: withExtra,
    project: (place) => ({ ...place, photosState: "not_requested", photos: [] }),
  },
  "places.photos": {
    about: "the photos of one page of businesses, for test keys only",
    environments: ["test"],
    sourceQuery: withExtra,
    project: (place) => ({ ...place, reviewsState: "not_requested", reviews: [] }),
  },
} as const satisfies Record<string, OperationRules>;

export type Operation = keyof typeof rules;

export const operations: Readonly<Record<Operation, OperationRules>> = rules;
export const operationNames = Object.keys(rules) as Operation[];

/** One sentence on every operation, for the API reference. */
export const operationsText = operationNames.map((name) => `${name}: ${operations[name].about}`).join("; ");

/** Reviews and photos come with `extra`. */
function withExtra(params: SourceQuery): SourceQuery {
  return { ...params, extra: true };
}
