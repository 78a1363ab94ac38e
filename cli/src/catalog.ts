import type { CatalogCommands, CatalogProgress, ImportView } from "@waypost/server/operator";
import type { Command, Output, Values } from "./command.ts";
import { Interrupted, UsageProblem } from "./failures.ts";
import { onInterrupt } from "./interrupts.ts";
import { openOperator } from "./operator.ts";
import { table } from "./table.ts";
import { printable } from "./terminal.ts";

const json = { json: "Print JSON" };

/** What a column can be mapped to; a test holds them to the service's. */
export const mappingFields: readonly string[] =
  "id name latitude longitude point category street houseNumber city region postalCode country phone website email openingHours description businessStatus permanentlyClosed brand rating reviewCount priceRange image addressParts".split(
    " ",
  );

export const catalogCommands: readonly Command[] = [
  {
    name: "catalog import",
    about: "Fill the catalog from a file, a folder of files or a URL; doing it again updates in place",
    words: "PATH_OR_URL",
    options: {
      name: "What the data set is called (after the file or folder)",
      mapping: `Which column of a CSV or Parquet table says what, such as name=Company,latitude=Lat,longitude=Lon; the fields: ${mappingFields.join(", ")}`,
      "min-confidence": "Leave out places that their publisher is less sure of, 0 to 1 (0)",
      "allow-skipped": "The most rows that may be unusable, in percent (10)",
      ...json,
    },
    async run(values, words) {
      const from = word(words, "PATH_OR_URL");
      const allowed = optional(values, "allow-skipped");
      if (allowed !== undefined && !(Number(allowed) >= 0 && Number(allowed) <= 100)) {
        throw new UsageProblem("--allow-skipped is a percentage from 0 to 100.");
      }
      const minConfidence = optional(values, "min-confidence");
      if (minConfidence !== undefined && !(Number(minConfidence) >= 0 && Number(minConfidence) <= 1)) {
        throw new UsageProblem("--min-confidence is a number from 0 to 1.");
      }
      const request = {
        from,
        name: optional(values, "name"),
        mapping: optional(values, "mapping"),
        ...(minConfidence === undefined ? {} : { minConfidence: Number(minConfidence) }),
        ...(allowed === undefined ? {} : { allowSkippedPercent: Number(allowed) }),
      };
      return imported(await changing(values, (catalog, watch) => catalog.importFrom(request, watch)));
    },
  },
  {
    name: "catalog add",
    about: "Fill the catalog with a region's public OpenStreetMap extract",
    words: "REGION",
    options: { base: "The server the extracts are taken from (https://download.geofabrik.de/)", ...json },
    async run(values, words) {
      const region = word(words, "REGION");
      const base = optional(values, "base");
      return imported(await changing(values, (catalog, watch) => catalog.add(region, base, watch)));
    },
  },
  {
    name: "catalog list",
    about: "List the data sets",
    words: "",
    options: { ...json },
    async run(values) {
      const sets = await watched(values, (catalog) => catalog.list());
      const rows = sets.map(
        ({ name, places, closed, areas, imported_at: importedAt, observed_at: observedAt, origin }) => {
          return [name, counted(places), counted(closed), counted(areas), observedAt ?? "-", importedAt, origin];
        },
      );
      return {
        data: { data_sets: sets },
        text: table(["NAME", "PLACES", "CLOSED", "AREAS", "AS OF", "IMPORTED", "FROM"], rows),
      };
    },
  },
  {
    name: "catalog stats",
    about: "Show what the catalog holds",
    words: "",
    options: { ...json },
    async run(values) {
      const stats = await watched(values, (catalog) => catalog.stats());
      const { places, merged, closed, areas, countries, categories, coverage, licenses, unmapped } = stats;
      const lines = [
        `${counted(places)} places, ${counted(merged)} further records merged into them; ${counted(closed)} closed; ${counted(areas)} areas`,
        "",
        table(
          ["COUNTRY", "PLACES"],
          countries.map(({ country, places: count }) => [country || "unknown", counted(count)]),
        ),
        "",
        table(
          ["CATEGORY", "PLACES"],
          categories.map(({ category, places: count }) => [category, counted(count)]),
        ),
        "",
        table(
          ["DATA SET", "AS OF", "COVERS", "KM²", "SOUTH, WEST, NORTH, EAST"],
          coverage.map(
            ({ name, observed_at: observedAt, countries: codes, square_kilometers: squareKilometers, box }) => [
              name,
              observedAt?.slice(0, 10) ?? "-",
              codes.join(" ") || "-",
              counted(squareKilometers),
              box.map((edge) => edge.toFixed(2)).join(", "),
            ],
          ),
        ),
        "",
        table(
          ["LICENSE", "PLACES"],
          licenses.map(({ license, places: count }) => [license || "unknown", counted(count)]),
        ),
        ...(unmapped.length === 0 ? [] : ["", unmappedTable(unmapped)]),
      ];
      return { data: stats, text: lines.join("\n") };
    },
  },
  {
    name: "catalog explain",
    about: "Show how a question is read, what is searched for it, and what comes first",
    words: "QUESTION…",
    options: {
      hl: "The language of the question (en)",
      ll: "What a map shows: @latitude,longitude,zoomz",
      gl: "The country of the question, by its two letters",
      ...json,
    },
    async run(values, words) {
      const q = words.join(" ");
      if (q === "") throw new UsageProblem("Give a QUESTION; add --help to see how.");
      const request = { q, hl: optional(values, "hl") ?? "en", ll: optional(values, "ll"), gl: optional(values, "gl") };
      const explained = await watched(values, (catalog, watch) => catalog.explain(request, watch));
      if (!explained) throw new Error("This machine has no place index yet: the service builds it when it runs.");
      return { data: explained, text: explainedText(explained) };
    },
  },
  {
    name: "catalog remove",
    about: "Take a data set and all its places out of the catalog",
    words: "NAME",
    options: { ...json },
    async run(values, words) {
      const name = word(words, "NAME");
      const { places } = await changing(values, (catalog, watch) => catalog.remove(name, watch));
      return { data: { name, places }, text: `Removed ${printable(name)} with ${counted(places)} places.` };
    },
  },
];

const readingsShown = 5;

type Explained = NonNullable<Awaited<ReturnType<CatalogCommands["explain"]>>>;

function explainedText({ reading, spans, readings, searches, first }: Explained): string {
  return [
    printable(reading),
    "",
    table(
      ["WORDS", "MAY MEAN", "COST", "WHY"],
      spans.map(({ tokens, means, cost, why }) => [tokens, means, String(cost), why]),
    ),
    "",
    table(
      ["READING", "COST", "OF", ""],
      readings
        .slice(0, readingsShown)
        .map((each, at) => [
          String(at + 1),
          String(each.cost),
          each.spans.join(" · "),
          each.answered ? "answered" : "",
        ]),
    ),
    "",
    table(
      ["SEARCH", "READING", "HOW", "REGION", "FOUND"],
      searches.map((each, at) => [
        String(at + 1),
        String(each.reading),
        each.how,
        String(each.region),
        String(each.found),
      ]),
    ),
    "",
    table(
      ["", "FIRST", "SCORE"],
      first.map(({ name, score }, at) => [String(at + 1), name, String(score)]),
    ),
  ].join("\n");
}

const unmappedShown = 20;

/** The first of them; all are in the JSON. */
function unmappedTable(unmapped: readonly { category: string; places: number }[]): string {
  const shown = unmapped.slice(0, unmappedShown).map(({ category, places }) => [category, counted(places)]);
  const more = unmapped.length - shown.length;
  return table(["OVERTURE CATEGORY WITHOUT ONE OF OURS", "PLACES"], shown) + (more > 0 ? `\nand ${more} more` : "");
}

type Watch = { signal: AbortSignal; progress: (progress: CatalogProgress) => void };

/** Opens the installation, shows progress unless JSON is wanted, and lets Ctrl-C stop the work cleanly. */
async function watched<Result>(
  values: Values,
  work: (catalog: CatalogCommands, watch: Watch) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = () =>
    interrupted.abort(new Interrupted("Interrupted. The catalog is as it was; the same command continues."));
  const stopHearing = onInterrupt(interrupt);
  const operator = await openOperator();
  const display = createDisplay();
  try {
    const catalog = await operator.catalog();
    await catalog.lowerPriority(); // a PostgreSQL that the command starts has started before
    const progress = values["json"] === true ? () => undefined : display.show;
    return await work(catalog, { signal: interrupted.signal, progress });
  } finally {
    display.done();
    stopHearing();
    await operator.close();
  }
}

const changeMade = "Interrupted after the change was made; every search sees it within a few seconds.\n";

/** The same for work that changes the catalog: what comes to its end although it is interrupted has changed it. */
async function changing<Result>(
  values: Values,
  work: (catalog: CatalogCommands, watch: Watch) => Promise<Result>,
): Promise<Result> {
  const { result, isInterrupted } = await watched(values, async (catalog, watch) => {
    const outcome = await work(catalog, watch);
    return { result: outcome, isInterrupted: watch.signal.aborted };
  });
  if (isInterrupted && values["json"] !== true) process.stderr.write(changeMade);
  return result;
}

const titles = { downloading: "Downloading", reading: "Reading", storing: "Storing", indexing: "Indexing" };
const barWidth = 24;
const redrawMs = 100;
const lineMs = 10_000;

/** One line that redraws itself on a terminal; a line now and then anywhere else. On standard error, beside the result. */
function createDisplay() {
  const isTerminal = process.stderr.isTTY;
  let phase: CatalogProgress["phase"] | undefined;
  let phaseStart = 0;
  let drawn = 0;

  function show(progress: CatalogProgress) {
    const now = performance.now();
    const isNew = progress.phase !== phase;
    if (isNew) [phase, phaseStart] = [progress.phase, now];
    if (!isNew && now - drawn < (isTerminal ? redrawMs : lineMs)) return;
    drawn = now;
    const line = describe(progress, (now - phaseStart) / 1_000, isTerminal);
    const isKept = !isTerminal || progress.phase === "resuming";
    process.stderr.write(`${isTerminal ? "\r\u001b[2K" : ""}${line}${isKept ? "\n" : ""}`);
  }

  return { show, done: () => void (isTerminal && drawn > 0 && process.stderr.write("\r\u001b[2K")) };
}

function describe({ phase, share, places }: CatalogProgress, seconds: number, hasBar: boolean): string {
  if (phase === "resuming") return resumed(share === 1, places);
  const parts = [hasBar ? titles[phase].padEnd(11) : titles[phase]];
  if (share !== undefined) {
    const full = Math.round(share * barWidth);
    if (hasBar) parts.push(`${"█".repeat(full)}${"░".repeat(barWidth - full)}`);
    parts.push(`${Math.floor(share * 100)} %`);
  }
  if (places > 0) parts.push(`${counted(places)} places`);
  if (phase === "reading" && seconds >= 1) parts.push(`${counted(Math.round(places / seconds))}/s`);
  if (share !== undefined && share > 0.01 && share < 1 && seconds >= 1) {
    parts.push(`${duration((seconds / share) * (1 - share))} left`);
  }
  return parts.join("  ");
}

function resumed(isRead: boolean, places: number): string {
  const rest = isRead ? "all of the file is read" : "the rest of the file follows";
  return `Continuing an interrupted import: ${counted(places)} places are staged, ${rest}.`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

function imported(result: ImportView): Output {
  const { name, places, areas, added, changed, closed, unchanged, skipped, repeated, seconds } = result;
  const rate = counted(Math.round(places / Math.max(0.001, seconds)));
  const lines = [
    `Imported ${printable(name)}: ${counted(places)} places and ${counted(areas)} areas in ${duration(seconds)} (${rate} places/s).`,
    `${counted(added)} new, ${counted(changed)} changed, ${counted(unchanged)} as before, ${counted(closed)} closed${skipped > 0 ? `, ${counted(skipped)} that cannot be used skipped` : ""}.`,
    ...result.skipped_rows.map(({ at, reason }) => printable(`  ${at}: ${reason}`)),
    ...(repeated > 0
      ? [`${counted(repeated)} left out for a later one of the same id, or without ids the same name and point.`]
      : []),
    ...(result.replaced_sample ? ["It took the place of the sample, which is gone for good."] : []),
    ...(result.unused_columns.length > 0 ? [unusedText(result.unused_columns)] : []),
  ];
  return { data: result, text: lines.join("\n") };
}

const columnsShown = 20;

function unusedText(columns: readonly string[]): string {
  const shown = columns.slice(0, columnsShown).map(printable).join(", ");
  const more = columns.length > columnsShown ? ` and ${columns.length - columnsShown} more` : "";
  return `Not used: ${shown}${more}. --mapping field=column takes a column; --help lists the fields.`;
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}

function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function word(words: readonly string[], name: string): string {
  const [value, ...rest] = words;
  if (value === undefined || rest.length > 0) throw new UsageProblem(`Give one ${name}; add --help to see how.`);
  return value;
}
