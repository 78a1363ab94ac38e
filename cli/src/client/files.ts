import { access, constants, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import type { ExportFormat } from "@waypost/sdk";
import type { Values } from "../command.ts";
import { UsageProblem } from "../failures.ts";
import { text } from "./words.ts";

export const formats: readonly ExportFormat[] = ["csv", "json", "ndjson", "geojson", "xlsx", "parquet"];

/** The format that --format names, or the ending of --output; undefined when neither names one. */
export function formatOf(values: Values): ExportFormat | undefined {
  const [given, output = ""] = [text(values, "format"), text(values, "output")];
  const format = formats.find((each) => each === (given ?? extname(output).slice(1).toLowerCase()));
  if (given !== undefined && !format) throw new UsageProblem(`--format is one of ${formats.join(", ")}.`);
  return format;
}

/** --create-only ends before there is anything to write. */
export function refuseFiles(values: Values, ...options: readonly string[]) {
  const given = options.find((each) => values[each] !== undefined);
  if (given !== undefined) throw new UsageProblem(`--${given} does nothing with --create-only; leave one of them out.`);
}

/** Refuses a file that could not be written later, so that nothing is started for it. Without a name: in this folder. */
export async function requireWritable(
  path: string | undefined,
  option: "output" | "map",
  isForced: boolean,
): Promise<void> {
  const elsewhere = `choose another with --${option}`;
  if (path === undefined) return requireFolder(".", "This folder cannot be written", elsewhere);
  const found = await stat(path).catch(() => undefined);
  // A - would be standard output elsewhere; a file of that name is what nobody wants. A device or a pipe would be
  // replaced by the finished file: /dev/null would be a file from then on.
  if (path === "" || path === "-" || path.endsWith("/") || (found && !found.isFile())) {
    throw new UsageProblem(`--${option} takes the name of a file, and '${path}' is none.`);
  }
  if (found && !isForced) throw new Error(`${path} is there already; ${elsewhere}, or write over it with --force.`);
  await requireFolder(dirname(path), `${path} cannot be written`, elsewhere);
}

async function requireFolder(folder: string, problem: string, advice: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`${problem} (${(error as Error).message}); ${advice}.`, { cause: error });
  }
}

/** Writes a file under a temporary name and gives it its own when every byte is there. */
export async function writeWhole(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  try {
    await write(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export async function writeText(path: string, content: string): Promise<void> {
  await writeWhole(path, (draft) => writeFile(draft, content, { flag: "wx" }));
}
