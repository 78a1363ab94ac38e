import type { SourceDescription } from "../source.ts";

export const description: SourceDescription = {
  name: "webmap",
  isLocal: false,
  // Only when the operator chooses it by name.
  isAutomatic: false,
  // With sixteen seconds for websites a search stays below the lease of an idempotent call.
  deadlinesMs: { search: 12_000, job: 60_000 },
  jobsMax: 2,
  breaker: { failuresMax: 3, openMs: 60_000 },
  neverFills: [],
  covers: "What the web map at WAYPOST_WEBMAP_URL has.",
  greeting: "answered by the web map that WAYPOST_WEBMAP_URL names",
};
