import { neverWithoutAreas } from "../../places/never-filled.ts";
import type { SourceDescription } from "../source.ts";

export const description: SourceDescription = {
  name: "osm",
  isLocal: false,
  isAutomatic: true,
  // With sixteen seconds for websites a search stays below the lease of an idempotent call.
  deadlinesMs: { search: 12_000, job: 60_000 },
  // The services behind it live on donations: few at once, see also the limits of each.
  jobsMax: 2,
  breaker: { failuresMax: 5, openMs: 30_000 },
  neverFills: neverWithoutAreas,
  covers: "The whole earth, as OpenStreetMap's live services have it.",
  greeting: "answered by OpenStreetMap's live services; for data of your own: npx waypost catalog add liechtenstein",
};
