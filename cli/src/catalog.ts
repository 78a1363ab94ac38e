import type { CatalogCommands } from "@waypost/server/operator";
import { catalogAddCommand, minConfidenceOf } from "./catalog-add.ts";
import { catalogUpdateCommand } from "./catalog-update.ts";
import { changing, counted, imported, watched } from "./catalog-work.ts";
import type { Command } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { optional } from "./operator.ts";
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
      const request = {
        from,
        name: optional(values, "name"),
        mapping: optional(values, "mapping"),
        minConfidence: minConfidenceOf(values),
        ...(allowed === undefined ? {} : { allowSkippedPercent: Number(allowed) }),
      };
      return imported(await changing(values, (catalog, watch) => catalog.importFrom(request, watch)));
    },
  },
  catalogAddCommand,
  catalogUpdateCommand,
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

function word(words: readonly string[], name: string): string {
  const [value, ...rest] = words;
  if (value === undefined || rest.length > 0) throw new UsageProblem(`Give one ${name}; add --help to see how.`);
  return value;
}
