import type { Clock } from "../platform/clock.ts";
import { guard, type GuardedSource } from "./breaker.ts";
import type { Source } from "./source.ts";

/** The sources that this installation has. Simulated ones are not among them. */
export type SourceRegistry = {
  catalog?: Source & { hasPlaces(): Promise<boolean> };
  osm?: Source;
  webmap?: Source;
};

export type SourceChoice = "auto" | keyof SourceRegistry;

export type SourceSelection = {
  /**
   * The source that answers live keys now; undefined when none is configured. Whoever can wait
   * longer than a client at the other end of a connection says how long.
   */
  pick(deadlineMs?: number): Promise<Source | undefined>;
};

type SelectionOptions = {
  choice: SourceChoice;
  sources: SourceRegistry;
  clock: Clock;
};

// With sixteen seconds for websites these stay below the lease of an idempotent call.
const usualDeadlinesMs = { catalog: 5_000, osm: 12_000, webmap: 12_000 };
const hasPlacesMs = 2_000;

/** Chooses among the sources by configuration: `auto` is the catalog when it has places, else OpenStreetMap. */
export function createSourceSelection({ choice, sources, clock }: SelectionOptions): SourceSelection {
  const guarded = { catalog: guardOne("catalog"), osm: guardOne("osm"), webmap: guardOne("webmap") };
  let catalogHasPlaces: { value: Promise<boolean>; until: number } | undefined;

  async function pick(deadlineMs?: number): Promise<Source | undefined> {
    const source = guarded[choice === "auto" ? await automatic() : choice];
    // An empty catalog proves nothing about the world: it is no source yet.
    if (choice === "catalog" && !(await hasPlaces())) return undefined;
    return deadlineMs === undefined ? source : source?.within(deadlineMs);
  }

  async function automatic(): Promise<"catalog" | "osm"> {
    return (await hasPlaces()) ? "catalog" : "osm";
  }

  /** Asked for every live search, so the answer is kept for a moment. */
  function hasPlaces(): Promise<boolean> {
    const now = clock.now().getTime();
    if (catalogHasPlaces && catalogHasPlaces.until > now) return catalogHasPlaces.value;
    const value = sources.catalog?.hasPlaces() ?? Promise.resolve(false);
    catalogHasPlaces = { value, until: now + hasPlacesMs };
    value.catch(() => (catalogHasPlaces = undefined));
    return value;
  }

  function guardOne(name: keyof SourceRegistry): GuardedSource | undefined {
    const source = sources[name];
    if (source?.name === "fixtures") throw new Error("simulated businesses are never offered to a live key");
    return source && guard(source, { clock, deadlineMs: usualDeadlinesMs[name] });
  }

  return { pick };
}
