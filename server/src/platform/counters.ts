/** Adds to one series of a counter. */
type Count = (labels: Record<string, string>, by?: number) => void;

/** Declares a counter, once and at start. */
export type CounterFactory = (name: string, help: string, labelNames: readonly string[]) => Count;

type Declared = {
  name: string;
  help: string;
  labelNames: readonly string[];
  series: ReadonlyMap<string, { labels: Record<string, string>; value: number }>;
};

/** What parts of the service count; the edge that exposes metrics reads it when somebody looks. */
export function createCounters() {
  const declared: Declared[] = [];

  const counter: CounterFactory = (name, help, labelNames) => {
    const series = new Map<string, { labels: Record<string, string>; value: number }>();
    declared.push({ name, help, labelNames, series });
    return (labels, by = 1) => {
      const key = labelNames.map((label) => labels[label]).join(" ");
      const known = series.get(key);
      if (known) known.value += by;
      else series.set(key, { labels, value: by });
    };
  };

  return { counter, list: (): readonly Declared[] => declared };
}

export type Counters = ReturnType<typeof createCounters>;
