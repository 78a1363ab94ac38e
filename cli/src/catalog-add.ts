import type { Command, Output, Values } from "./command.ts";
import { changing, counted, imported, watched } from "./catalog-work.ts";
import { UsageProblem } from "./failures.ts";
import { optional } from "./operator.ts";

/** What each publisher takes beside its name. */
const options = {
  area: "The part of the earth: a town, a country or its two letters, or south,west,north,east in degrees",
  release: "Overture: which release (the latest)",
  "min-confidence": "Overture: leave out places that it is less sure of, 0 to 1 (0)",
  "dry-run": { flag: "Overture: say how many megabytes and places that would be, and fetch none" },
  name: "What the data set is called",
  base: "OpenStreetMap: the server the extracts are taken from (https://download.geofabrik.de/)",
} as const;
type Option = keyof typeof options;

type Publisher = {
  /** What stands behind its name. */
  words: string;
  options: readonly Option[];
  run(values: Values, word: string): Promise<Output>;
};

const openStreetMap: Publisher = {
  words: "REGION",
  options: ["base", "name"],
  async run(values, region) {
    const request = { region, base: optional(values, "base"), name: optional(values, "name") };
    return imported(await changing(values, (catalog, watch) => catalog.add(request, watch)));
  },
};

const publishers: Readonly<Record<string, Publisher>> = {
  overture: { words: "", options: ["area", "release", "min-confidence", "dry-run", "name"], run: addOverture },
  alltheplaces: {
    words: "",
    options: ["area", "name"],
    async run(values) {
      const request = { area: optional(values, "area"), name: optional(values, "name") };
      return imported(await changing(values, (catalog, watch) => catalog.addAllThePlaces(request, watch)));
    },
  },
  foursquare: {
    words: "PATH",
    options: ["name"],
    async run(values, from) {
      const request = { from, name: optional(values, "name"), mapping: undefined };
      return imported(await changing(values, (catalog, watch) => catalog.importFrom(request, watch)));
    },
  },
  openstreetmap: openStreetMap,
};

export const catalogAddCommand: Command = {
  name: "catalog add",
  about:
    "Fill the catalog from a publisher of open data: overture, alltheplaces, foursquare PATH, openstreetmap REGION, or a REGION alone",
  words: "PUBLISHER [WHAT]",
  options: { ...options, json: "Print JSON" },
  async run(values, words) {
    const [first = "", ...rest] = words;
    const named = publishers[first];
    const publisher = named ?? openStreetMap;
    const [word = "", ...further] = named ? rest : words;
    const isAsked = publisher.words === "" ? word === "" : word !== "";
    if (!isAsked || further.length > 0)
      throw new UsageProblem(`Write catalog add ${named ? `${first} ${publisher.words}`.trim() : publisher.words}.`);
    const foreign = (Object.keys(options) as Option[]).find(
      (option) => values[option] !== undefined && values[option] !== false && !publisher.options.includes(option),
    );
    if (foreign) throw new UsageProblem(`--${foreign} is not for ${named ? first : "openstreetmap"}; leave it out.`);
    return publisher.run(values, word);
  },
};

async function addOverture(values: Values): Promise<Output> {
  const area = optional(values, "area");
  if (area === undefined) throw new UsageProblem("--area is required; add --help to see how.");
  const minConfidence = minConfidenceOf(values);
  const request = { area, release: optional(values, "release"), name: optional(values, "name"), minConfidence };
  if (values["dry-run"] === true) {
    const estimate = await watched(values, (catalog, watch) => catalog.estimateOverture(request, watch));
    return { data: estimate, text: estimated(estimate) };
  }
  const view = await changing(values, (catalog, watch) => catalog.addOverture(request, watch));
  const { text } = imported(view);
  return { data: view, text: `${text}\nOverture ${view.release}, ${view.area}; ${view.megabytes} MB fetched.` };
}

type Estimate = { release: string; area: string; files: number; row_groups: number; megabytes: number; places: number };

function estimated({ release, area, files, row_groups: groups, megabytes, places }: Estimate): string {
  const where = `${counted(groups)} row groups of ${counted(files)} files`;
  return `Overture ${release}, ${area}: ${megabytes} MB in ${where}, with at most ${counted(places)} places. Nothing was fetched.`;
}

/** 0 unless given. */
export function minConfidenceOf(values: Values): number {
  const text = optional(values, "min-confidence");
  const confidence = Number(text ?? 0);
  if (confidence >= 0 && confidence <= 1) return confidence;
  throw new UsageProblem("--min-confidence is a number from 0 to 1.");
}
