import type { CatalogCommands, CatalogProgress, ImportView } from "@waypost/server/operator";
import type { Output, Values } from "./command.ts";
import { Interrupted } from "./failures.ts";
import { onInterrupt } from "./interrupts.ts";
import { openOperator } from "./operator.ts";
import { printable } from "./terminal.ts";

type Watch = { signal: AbortSignal; progress: (progress: CatalogProgress) => void };

/** Opens the installation, shows progress unless JSON is wanted, and lets Ctrl-C stop the work cleanly. */
export async function watched<Result>(
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
export async function changing<Result>(
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

function describe({ phase, share, places, bytes }: CatalogProgress, seconds: number, hasBar: boolean): string {
  if (phase === "resuming") return resumed(share === 1, places);
  const parts = [hasBar ? titles[phase].padEnd(11) : titles[phase]];
  if (share !== undefined) {
    const full = Math.round(share * barWidth);
    if (hasBar) parts.push(`${"█".repeat(full)}${"░".repeat(barWidth - full)}`);
    parts.push(`${Math.floor(share * 100)} %`);
  }
  if (bytes) parts.push(`${megabytes(bytes.fetched)} of ${megabytes(bytes.total)} MB`);
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

export function imported(result: ImportView): Output {
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

export function counted(count: number): string {
  return count.toLocaleString("en-US");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 });
}
