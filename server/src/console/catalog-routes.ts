import type { Clock } from "../platform/clock.ts";
import type { PlaceIndex } from "../place-index/port.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Database } from "../platform/postgres/database.ts";
import { listDataSets, readGeneration } from "../data-sets/data-sets.ts";
import { isSample } from "../data-sets/sample.ts";
import { listRunningImports } from "../data-sets/running-imports.ts";
import { readCatalogBounds } from "../sources/catalog/index.ts";
import type { SourceSelection } from "../sources/selection.ts";
import { type Source, SourceFailure } from "../sources/source.ts";

type CatalogDeps = { db: Database; placeIndex: PlaceIndex; sources: SourceSelection; clock: Clock };

/** Counting reads every area and every closed record, so one count serves everybody for a while, or until an import ends. */
const countedMs = 60_000;

/** The installation's place index, and how the source that answers live keys does. */
export function catalogRoutes(app: HttpServer, { db, placeIndex, sources, clock }: CatalogDeps) {
  let counted: { dataSets: ReturnType<typeof listDataSets>; generation: number; until: number } | undefined;

  async function countDataSets(): ReturnType<typeof listDataSets> {
    const generation = await readGeneration(db);
    const now = clock.now().getTime();
    if (counted?.generation === generation && counted.until > now) return counted.dataSets;
    counted = { dataSets: listDataSets(db), generation, until: now + countedMs };
    counted.dataSets.catch(() => (counted = undefined));
    return counted.dataSets;
  }

  app.get("/catalog", {
    config: { role: "viewer" },
    async handler() {
      const dataSets = await countDataSets();
      const source = await sources.pick();
      const imports = await listRunningImports(db);
      return {
        // Where a data set came from may be a path on the operator's machine, so only its name is shown.
        data_sets: dataSets.map(({ name, origin, importedAt, observedAt, places, closed, areas }) => ({
          name: isSample({ origin }) ? origin : name,
          imported_at: importedAt.toISOString(),
          observed_at: observedAt?.toISOString() ?? null,
          places,
          closed,
          areas,
        })),
        imports: imports.map(({ name, phase, startedAt, percent, rows }) => ({
          name,
          phase,
          started_at: startedAt.toISOString(),
          percent,
          rows,
        })),
        bounds: (await readCatalogBounds(placeIndex)) ?? null,
        source: source ? shownSource(source) : null,
      };
    },
  });
}

function shownSource(source: Source) {
  const { name, covers = null, isLocal = false } = source;
  return { name, covers, is_local: isLocal, ...healthOf(source) };
}

/** A source that failed too often is disabled for a while, and refuses searches until then. */
function healthOf({ refuse }: Source): { status: "ready" | "paused"; retry_after_seconds: number | null } {
  try {
    refuse?.();
    return { status: "ready", retry_after_seconds: null };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { status: "paused", retry_after_seconds: error.retryAfterSeconds ?? null };
  }
}
