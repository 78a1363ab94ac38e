import { type Clock, elapsedMs } from "../platform/clock.ts";
import { type Meters, noMeters } from "../platform/meters.ts";
import { advised } from "./advised.ts";
import { guard } from "./breaker.ts";
import type { Source, SourcePurpose, SourceQuery } from "./source.ts";

export type SourceSelection = {
  /**
   * The source that answers live keys now; undefined when none is configured or ready. `auto` passes over
   * one without data for the question, as long as another follows.
   */
  pick(purpose?: SourcePurpose, query?: SourceQuery): Promise<Source | undefined>;
  /** Those that may be picked now, the preferred first. */
  ready(): Promise<Source[]>;
};

/** One source that answers everything. */
export function onlySource(source: Source): SourceSelection {
  return { pick: async () => source, ready: async () => [source] };
}

type SelectionOptions = {
  /** `auto`, or the name of one of the sources. */
  choice: string;
  /** Those that this installation has; `auto` prefers the earlier. Simulated ones are not among them. */
  sources: readonly Source[];
  clock: Clock;
  meters?: Meters;
};

const readinessMs = 2_000;
/** How long a source may take to tell whether it has data for a question. */
const lookMs = 5_000;

/** Chooses among the sources by configuration. */
export function createSourceSelection({
  choice,
  sources,
  clock,
  meters = noMeters,
}: SelectionOptions): SourceSelection {
  if (sources.some(({ name }) => name === "fixtures")) {
    throw new Error("simulated businesses are never offered to a live key");
  }
  const chosen = sources
    .filter(({ name, isAutomatic }) => (choice === "auto" ? isAutomatic : choice === name))
    .map((source) => ({ source: guard(source, { clock, meters }), isReady: rememberReadiness(source, clock) }));

  meters.gauge(
    "waypost_source_breaker_open",
    "1 while a source is disabled after failures, or because it asked for rest.",
    ["source"],
    () => chosen.map(({ source }) => ({ labels: { source: source.name }, value: Number(source.isLeftAlone()) })),
  );

  async function pick(purpose: SourcePurpose = "search", query?: SourceQuery): Promise<Source | undefined> {
    let first: Source | undefined;
    for (const [index, { source, isReady }] of chosen.entries()) {
      if (!(await isReady())) continue;
      const isLast = index === chosen.length - 1;
      if (isLast && first === undefined) return source.forPurpose(purpose);
      if (!query || !source.hasDataFor || (await source.hasDataFor(query, AbortSignal.timeout(lookMs)))) {
        return advised(source.forPurpose(purpose), first?.advice?.());
      }
      first ??= source.forPurpose(purpose);
    }
    return first;
  }

  async function ready(): Promise<Source[]> {
    const states = await Promise.all(chosen.map(({ isReady }) => isReady()));
    return chosen.flatMap(({ source }, index) => (states[index] ? [source] : []));
  }

  return { pick, ready };
}

/** Every live search needs to know, so a yes is kept for a moment. A no is not: the first import shows at once. */
function rememberReadiness({ isReady }: Source, clock: Clock): () => Promise<boolean> {
  if (!isReady) return async () => true;
  let known: { value: Promise<boolean>; until: number } | undefined;
  return () => {
    const now = elapsedMs(clock);
    if (known && known.until > now) return known.value;
    const value = isReady();
    known = { value, until: now + readinessMs };
    value.then((is) => is || (known = undefined)).catch(() => (known = undefined));
    return value;
  };
}
