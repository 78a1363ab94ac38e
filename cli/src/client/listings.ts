import type { Business, CreateExport } from "@waypost/sdk";
import type { Flag, Output, Values } from "../command.ts";
import { UsageProblem } from "../failures.ts";
import { table } from "../table.ts";
import { fit, printable } from "../terminal.ts";
import { list, text } from "./words.ts";

const columnsHelp = "people, all, or names of columns, separated by commas";

/** The columns of a spreadsheet or file, as the exports of the service have them. */
export const columnsOption = { columns: `${columnsHelp} (people for csv and xlsx, all for other formats)` };

export const formats: Record<string, Flag | string> = {
  json: { flag: "Print JSON" },
  csv: { flag: "Print CSV" },
  columns: `With --csv: ${columnsHelp} (people)`,
};

type Column = { name: string; of(business: Business): string | number | null };

const shown: readonly Column[] = [
  { name: "name", of: ({ place }) => place.name },
  { name: "category", of: ({ place }) => place.category },
  { name: "address", of: ({ place }) => place.address.formatted },
  { name: "phone", of: ({ place }) => place.phone },
  { name: "rating", of: ({ place }) => place.rating },
];

const cellColumnsMax = 44;

/** Businesses as people and spreadsheets read them; `data` is what `--json` prints. */
export async function listings(
  businesses: readonly Business[],
  data: unknown,
  columns: CsvColumns | undefined,
  note: string,
): Promise<Output> {
  if (columns === undefined) return { data, text: [businessTable(businesses), note].filter(Boolean).join("\n\n") };
  return { data, text: await csv(businesses, columns) };
}

/** The choice of --columns as the API takes it; nothing when nothing was chosen. */
export async function columnsChosen(values: Values): Promise<Pick<CreateExport, "columns">> {
  const chosen = text(values, "columns");
  if (chosen === undefined) return {};
  if (chosen === "people" || chosen === "all") return { columns: chosen };
  const { columnNames } = await import("@waypost/server/export-columns");
  const names = list(values, "columns") ?? [];
  const unknown = names.find((name) => !columnNames.has(name));
  if (unknown !== undefined) {
    throw new UsageProblem(`--columns: there is no column '${unknown}'. Choose from ${[...columnNames].join(", ")}.`);
  }
  if (names.length === 0) throw new UsageProblem(`--columns is ${columnsHelp}.`);
  return { columns: [...new Set(names)] };
}

export type CsvColumns = readonly string[] | null;

/** The columns of --csv by their names, null for all; undefined without --csv. */
export async function csvColumnsOf(values: Values): Promise<CsvColumns | undefined> {
  if (values["csv"] !== true) {
    if (values["columns"] !== undefined) throw new UsageProblem("--columns goes with --csv.");
    return undefined;
  }
  const { columns = "people" } = await columnsChosen(values);
  if (columns === "all") return null;
  return columns === "people" ? (await import("@waypost/server/export-columns")).peopleColumnNames : columns;
}

function businessTable(businesses: readonly Business[]): string {
  if (businesses.length === 0) return "No businesses.";
  const rows = businesses.map((business) =>
    shown.map(({ of }) => fit(printable(String(of(business) ?? "")), cellColumnsMax)),
  );
  return table(
    shown.map(({ name }) => name.toUpperCase()),
    rows,
  );
}

/** As the exports of the service write it, but without what would act on a terminal. */
async function csv(businesses: readonly Business[], names: CsvColumns): Promise<string> {
  const [{ columnsOf }, { csvHead, csvLine }] = await Promise.all([
    import("@waypost/server/export-columns"),
    import("@waypost/server/export-csv"),
  ]);
  const columns = columnsOf(names).map(({ name, type, read, readForSpreadsheet = read }) => ({
    name,
    type,
    // Before it is neutralized: what is taken away could have hidden what a spreadsheet runs.
    read: (business: Business) => harmless(readForSpreadsheet(business)),
  }));
  const lines = [csvHead(columns), ...businesses.map((business) => csvLine(columns, business))];
  return lines.map((line) => line.trimEnd()).join("\n");
}

function harmless(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [printable(key), harmless(each)]));
}
