import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

type Labels = Record<string, string>;

/** Adds to one series of a counter. */
type Count = (labels: Labels, by?: number) => void;

/** Declares a counter at start. Declared again, it is the same counter. */
export type CounterFactory = (name: string, help: string, labelNames: readonly string[]) => Count;

/** One series of a gauge as it stands. */
export type Sample = { labels: Labels; value: number };

/** Declares a figure that is read when somebody looks; a reading that fails shows no series. */
export type GaugeFactory = (
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => readonly Sample[] | Promise<readonly Sample[]>,
) => void;

type HistogramFactory = (
  name: string,
  help: string,
  labelNames: readonly string[],
  buckets: readonly number[],
) => (labels: Labels, seconds: number) => void;

/** Declares a sum that somebody else keeps, read when somebody looks. */
type TotalFactory = (name: string, help: string, read: () => number) => void;

/** What the parts of a process count and measure. The edge that exposes metrics writes it out. */
export type Meters = { counter: CounterFactory; gauge: GaugeFactory; histogram: HistogramFactory; total: TotalFactory };

/** For parts that nobody watches. */
export const noMeters: Meters = {
  counter: () => () => undefined,
  gauge: () => undefined,
  histogram: () => () => undefined,
  total: () => undefined,
};

/** The series of a histogram, by the value of one label after the other. */
type SeriesTree = { byValue: Map<string, SeriesTree>; series: { observe(value: number): void } | undefined };

/** Gauges that prom-client names like counters, against the rules of the exposition format. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

export function createMeters(): Meters & { contentType: string; text(): Promise<string> } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "waypost_" });
  for (const name of misnamed) registry.removeSingleMetric(`waypost_${name}`);
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    counter(name, help, labelNames) {
      const declare = () => new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
      const counter = counters.get(name) ?? declare();
      counters.set(name, counter);
      return (labels, by = 1) => counter.inc(labels, by);
    },
    gauge(name, help, labelNames, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [],
        async collect() {
          const readings = await Promise.resolve(read()).catch(() => []);
          this.reset();
          if (readings.length === 0) this.remove({});
          for (const { labels, value } of readings) this.set(labels, value);
        },
      });
      registry.registerMetric(gauge);
    },
    total(name, help, read) {
      const counter = new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
      registry.registerMetric(counter);
    },
    histogram(name, help, labelNames, buckets) {
      const declare = () =>
        new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers: [registry] });
      const histogram = histograms.get(name) ?? declare();
      histograms.set(name, histogram);
      // Finding a series by its labels costs more than observing in it, and so does a new text that joins them.
      const root: SeriesTree = { byValue: new Map(), series: undefined };
      return (labels, seconds) => {
        let node = root;
        for (const label of labelNames) {
          const value = labels[label] ?? "";
          let next = node.byValue.get(value);
          if (!next) node.byValue.set(value, (next = { byValue: new Map(), series: undefined }));
          node = next;
        }
        node.series ??= histogram.labels(labels);
        node.series.observe(seconds);
      };
    },
  };
}

export type ProcessMeters = ReturnType<typeof createMeters>;
