import { neverInCatalog } from "../../places/never-filled.ts";
import type { SourceDescription } from "../source.ts";

export const description: SourceDescription = {
  name: "catalog",
  isLocal: true,
  isAutomatic: true,
  // With sixteen seconds for websites a search stays below the lease of an idempotent call.
  deadlinesMs: { search: 5_000, job: 60_000 },
  jobsMax: 64,
  breaker: null,
  neverFills: neverInCatalog,
  covers: "The regions whose data the operator imported.",
  greeting: "answered from the catalog; see it with npx waypost catalog list",
};
