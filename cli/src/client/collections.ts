import { resolve } from "node:path";
import type {
  Collection,
  CollectionCell,
  CollectionEstimate,
  CreateCollection,
  CreateExport,
  EstimateCollection,
  ExportFormat,
} from "@waypost/sdk";
import type { Command, Output, Values } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { orSay, UsageProblem } from "../failures.ts";
import { facts, table } from "../table.ts";
import { coverageMap } from "./coverage-map.ts";
import { exportTo, fileOf, type ExportTarget } from "./exports.ts";
import { formatOf, formats, refuseFiles, requireWritable, writeText } from "./files.ts";
import { columnsChosen, columnsOption } from "./listings.ts";
import { type Client, withClient } from "./open.ts";
import { watch } from "./progress.ts";
import { oneId, text, wholeNumber } from "./words.ts";

const json = { json: { flag: "Print JSON" } };
const showsCollections = "`waypost collections` shows them.";
const wanted = {
  area: "The name of a place, or SOUTH,WEST,NORTH,EAST",
  hl: "The language of the answer, such as de",
  gl: "The country, such as li",
};
const following = {
  format: `Also export the businesses, as ${formats.join(", ")} (the ending of --output)`,
  ...columnsOption,
  output: "Where to write that file (its own name, in this folder)",
  force: { flag: "Write over files that are there" },
  map: "Where to write a picture of the coverage, as SVG",
};

export const collectionCommands: readonly Command[] = [
  {
    name: "collect",
    about: "Collect everything for a query in an area and follow it; one request unit per page",
    words: "QUERY…",
    options: {
      ...wanted,
      "max-units": "The most request units it may take, 1 to 100000",
      extra: { flag: "Also ask for reviews, photos and contact data" },
      webhook: "The webhook endpoint that hears of it, whe_…; live keys only",
      "create-only": { flag: "Only create it" },
      ...following,
      ...json,
    },
    async run(values, words) {
      const request = requestOf(values, words);
      const isCreation = values["create-only"] === true;
      if (isCreation) refuseFiles(values, "format", "output", "map", "force");
      const report = await reportOf(values);
      return withClient(async (client) => {
        const made = await client.waypost.collections.create(request, { signal: client.signal });
        return isCreation ? shown(made) : followToEnd(client, made.id, report, true);
      });
    },
  },
  {
    name: "collections estimate",
    about: "Count what collecting would take; free, where the source can count",
    words: "QUERY…",
    options: { ...wanted, ...json },
    async run(values, words) {
      const request = wantedOf(values, words);
      return withClient(async ({ waypost, signal }) =>
        estimated(await waypost.collections.estimate(request, { signal })),
      );
    },
  },
  {
    name: "collections list",
    about: "List the collections, newest first",
    words: "",
    options: { limit: "How many at most, 1 to 100 (25)", ...json },
    async run(values) {
      const limit = wholeNumber(values, "limit", 1) ?? 25;
      return withClient(async ({ waypost, signal }) => {
        const { data: collections } = await waypost.collections.list({ limit, signal }).page();
        const rows = collections.map(({ id, status, q, progress, created_at }) => [
          id,
          status,
          q,
          String(progress.businesses),
          String(progress.units_charged),
          created_at,
        ]);
        return { data: { collections }, text: table(["ID", "STATUS", "QUERY", "FOUND", "UNITS", "CREATED"], rows) };
      });
    },
  },
  {
    name: "collections show",
    about: "Show one collection",
    words: "COLLECTION_ID",
    options: json,
    async run(_, words) {
      const id = idOf(words);
      return withClient(async ({ waypost, signal }) => shown(await waypost.collections.get(id, { signal })));
    },
  },
  {
    name: "collections follow",
    about: "Follow a collection to its end, as collect does",
    words: "COLLECTION_ID",
    options: { ...following, ...json },
    async run(values, words) {
      const id = idOf(words);
      const report = await reportOf(values);
      return withClient((client) => followToEnd(client, id, report, false));
    },
  },
  ...(["pause", "resume", "cancel"] as const).map((verb): Command => ({
    name: `collections ${verb}`,
    about: {
      pause: "Pause a collection; nothing is charged meanwhile",
      resume: "Resume a paused collection",
      cancel: "Stop a collection for good; what is stored stays",
    }[verb],
    words: "COLLECTION_ID",
    options: json,
    async run(_, words) {
      const id = idOf(words);
      return withClient(async ({ waypost, signal }) => shown(await waypost.collections[verb](id, { signal })));
    },
  })),
  {
    name: "collections delete",
    about: "Delete a collection with its records and the exports that hold them; one that runs is canceled first",
    words: "COLLECTION_ID",
    options: json,
    async run(_, words) {
      const id = idOf(words);
      const data = await withClient(({ waypost, signal }) => waypost.collections.remove(id, { signal }));
      return { data, text: `Deleted ${id}.` };
    },
  },
];

function requestOf(values: Values, words: readonly string[]): CreateCollection {
  const request = wantedOf(values, words);
  const maxUnits = wholeNumber(values, "max-units");
  if (maxUnits === undefined) throw new UsageProblem("Say with --max-units how many request units it may take.");
  return { ...request, max_units: maxUnits };
}

function wantedOf(values: Values, words: readonly string[]): EstimateCollection {
  if (words.length === 0) throw new UsageProblem('Say what to collect, such as "dentists".');
  const area = text(values, "area");
  if (area === undefined) throw new UsageProblem("Say where with --area, such as --area Vaduz.");
  const [hl, gl, webhook] = [text(values, "hl"), text(values, "gl"), text(values, "webhook")];
  return {
    q: words.join(" "),
    area: areaOf(area),
    ...(hl === undefined ? {} : { hl }),
    ...(gl === undefined ? {} : { gl }),
    ...(values["extra"] === true ? { extra: true } : {}),
    ...(webhook === undefined ? {} : { webhook_endpoint_id: webhook }),
  };
}

/** Numbers are the edges of a box, and too few or too many of them no place. */
function areaOf(area: string): CreateCollection["area"] {
  if (!/^[-+\d.,\s]*,[-+\d.,\s]*$/.test(area)) return { place: area };
  const edges = area.split(",").map((edge) => (edge.trim() === "" ? Number.NaN : Number(edge)));
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = edges;
  if (edges.length === 4 && edges.every(Number.isFinite)) return { bbox: [south, west, north, east] };
  throw new UsageProblem(`--area takes a place or SOUTH,WEST,NORTH,EAST in degrees; '${area}' is neither.`);
}

/** What is to be written when a collection has ended. */
type Report = {
  format: ExportFormat | undefined;
  columns: Pick<CreateExport, "columns">;
  file: ExportTarget;
  map: string | undefined;
};

/** Reads it from the options, and refuses what could not be written in the end: a collection takes units. */
async function reportOf(values: Values): Promise<Report> {
  const report = {
    format: formatOf(values),
    columns: await columnsChosen(values),
    file: fileOf(values),
    map: text(values, "map"),
  };
  const { format, columns, file, map } = report;
  if (!format && file.path !== undefined) {
    throw new UsageProblem(`Say with --format what to write to ${file.path}: ${formats.join(", ")}.`);
  }
  if (!format && columns.columns !== undefined) throw new UsageProblem("--columns goes with --format or --output.");
  if (format) await requireWritable(file.path, "output", file.isForced);
  if (map === undefined) return report;
  await requireWritable(map, "map", file.isForced);
  if (file.path !== undefined && resolve(file.path) === resolve(map)) {
    throw new UsageProblem("--output and --map name the same file; choose another for one of them.");
  }
  return report;
}

/** Follows a collection, then reports what was covered, draws it, and exports it when that is wanted. */
async function followToEnd(client: Client, id: string, report: Report, isKnown: boolean): Promise<Output> {
  const ended = await follow(client, id, { isKnown, isQuiet: report.file.isQuiet });
  return orSay(
    () => `The collection is ${ended.status}: \`waypost collections follow ${id}\` reports on it, and costs nothing.`,
    () => writeReport(client, ended, report),
  );
}

async function writeReport(client: Client, ended: Collection, { format, columns, file, map }: Report): Promise<Output> {
  const { waypost, signal } = client;
  const { id } = ended;
  const cells: CollectionCell[] = [];
  for await (const cell of waypost.collections.coverage(id, { signal })) cells.push(cell);
  if (map !== undefined) await writeText(map, coverageMap(cells));
  const isExported = format && ended.progress.businesses > 0;
  const exported = isExported ? await exportTo(client, { collection_id: id, format, ...columns }, file) : undefined;
  const lines = [shown(ended).text, coverageText(cells), ...(map === undefined ? [] : [`Map: ${map}`])];
  return {
    data: { collection: ended, cells: countByState(cells), ...(exported ? { file: exported.data } : {}) },
    text: [...lines, ...(exported ? [exported.text] : [])].join("\n"),
    exitCode: ended.status === "succeeded" ? (exported?.exitCode ?? exitCodes.done) : exitCodes.unfinished,
  };
}

async function follow(
  { waypost, signal }: Client,
  id: string,
  options: { isKnown: boolean; isQuiet: boolean },
): Promise<Collection> {
  const startedAt = performance.now();
  return watch({
    wait: (onUpdate) => waypost.collections.wait(id, { signal, waitMs: Number.MAX_SAFE_INTEGER, onUpdate }),
    line: (collection) => lineOf(collection, performance.now() - startedAt),
    goesOn: `The collection goes on: \`waypost collections follow ${id}\` comes back to it, \`waypost collections cancel ${id}\` stops it.`,
    ...options,
  });
}

/** Cells, pages, businesses, units, and while it runs the time left when the known cells take as long as those before. */
function lineOf({ id, status, progress, max_units: maxUnits }: Collection, elapsedMs: number): string {
  const { cells_done: done, cells_total: total, pages, businesses, units_charged: units } = progress;
  const isEstimated = status === "running" && done > 0 && done < total;
  const left = isEstimated ? Math.ceil(((elapsedMs / done) * (total - done)) / 1_000) : undefined;
  const parts = [
    `${id}  ${status}`,
    `${done} of ${total} cells`,
    `${pages} pages`,
    `${businesses} businesses`,
    `${units} of ${maxUnits} units`,
  ];
  return [...parts, ...(left === undefined ? [] : [`about ${left} s left`])].join("  ");
}

function countByState(cells: readonly CollectionCell[]): Record<string, number> {
  const groups = Map.groupBy(cells, ({ properties }) => properties.state);
  // The cells come in no order that two collections share.
  const states = [...groups.keys()].toSorted();
  return Object.fromEntries(states.map((state) => [state, groups.get(state)?.length ?? 0]));
}

function coverageText(cells: readonly CollectionCell[]): string {
  const counts = Object.entries(countByState(cells)).map(([state, count]) => `${count} ${state}`);
  return `Coverage: ${counts.join(", ")}`;
}

function estimated(estimate: CollectionEstimate): Output {
  const { units, businesses, is_complete: isComplete, source, source_as_of: asOf } = estimate;
  const count = (number: number | null) => {
    if (number === null) return "unknown";
    return isComplete ? String(number) : `at least ${number}`;
  };
  const data = asOf === null ? source : `${source}, as of ${asOf}`;
  return {
    data: estimate,
    text: facts([
      ["units", count(units)],
      ["businesses", count(businesses)],
      ["source", data],
    ]),
  };
}

function shown(collection: Collection): Output {
  const { progress } = collection;
  return {
    data: collection,
    text: facts([
      ["id", collection.id],
      ["query", collection.q],
      ["read as", collection.query_reading ?? ""],
      ["status", collection.status],
      ["reason", collection.status_reason ?? ""],
      ["cells", `${progress.cells_done} of ${progress.cells_total}`],
      ["businesses", String(progress.businesses)],
      ["units", `${progress.units_charged} of ${collection.max_units}`],
      ["created", collection.created_at],
    ]),
  };
}

function idOf(words: readonly string[]): string {
  return oneId(words, "col", showsCollections);
}
