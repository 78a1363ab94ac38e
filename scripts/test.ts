// Runs the tests on one embedded PostgreSQL, started here and gone afterwards. Each test file clones its own database
// from a migrated template. Arguments choose files: npm test -- server/test/api.test.ts
//
// A few processes share the files: each takes the next one that nobody has, and loads the service once. A file that
// measures its process has one of its own. So has each of the end-to-end tests, which start processes and a browser, and
// come after the others.
import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buildDashboardWhenStale } from "../cli/src/dashboard.ts";
import { openTestPostgres } from "../server/test/postgres.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import type { Counts } from "./tests/counts.ts";
import { chooseFiles } from "./tests/files.ts";
import { runnerWords, writeEntries } from "./tests/processes.ts";

const runDeadlineMs = 3_600_000;
/** More than there are cores, because tests also wait: for PostgreSQL, for processes to start and end, for retries. */
const atOnce = Math.min(availableParallelism() + 1, 8);

type Ended = { status: number; counts: Counts };

const { shared, measuring, endToEnd } = chooseFiles(process.argv.slice(2));
const folder = await makeTempFolder();
const [postgres] = await Promise.all([
  openTestPostgres(folder),
  // Once, or files that need it would each build their own at the same time.
  endToEnd.length > 1 ? buildDashboardWhenStale() : undefined,
]);
const each = (files: readonly string[]) => files.map((file) => [file]);
// Each begins with a file of its own: a process that runs no test would count as one.
const sharers = shared.slice(0, atOnce).map((first) => [first, ...shared.slice(atOnce)]);
const ended: Ended[] = [];
/** Somebody, or the deadline, has ended the run. */
let isCutOff = false;
for (const lists of [[...each(measuring), ...sharers], each(endToEnd)]) {
  if (lists.length > 0 && !isCutOff) ended.push(await run(join(folder, `run-${ended.length}`), lists));
}
await postgres.stop();
await removeFolder(folder);

const sum = (count: keyof Counts) => ended.reduce((total, { counts }) => total + counts[count], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
process.exitCode = ended.find(({ status }) => status !== 0)?.status ?? 0;

/** Runs a process for each list of files, a few at a time. */
async function run(place: string, lists: readonly (readonly string[])[]): Promise<Ended> {
  await mkdir(place);
  const countsPath = join(place, "counts.json");
  const words = runnerWords(await writeEntries(place, lists), { atOnce, countsPath });
  const child = spawn(process.execPath, words, {
    stdio: "inherit",
    detached: true,
    env: {
      ...process.env,
      ...postgres.environment,
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  const passOn = (signal: NodeJS.Signals) => {
    isCutOff = true;
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, passOn);
  const deadline = setTimeout(() => {
    console.error(`The tests did not end within ${runDeadlineMs / 60_000} minutes.`);
    isCutOff = true;
    endGroup(child.pid);
  }, runDeadlineMs);
  const status = await new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
  clearTimeout(deadline);
  for (const signal of signals) process.off(signal, passOn);
  endGroup(child.pid);
  const counted = await readFile(countsPath, "utf8").catch(() => "");
  // A run that was cut off has counted nothing, and has failed.
  const counts = counted === "" ? { passed: 0, failed: 1, skipped: 0 } : (JSON.parse(counted) as Counts);
  return { status, counts };
}

/** A test that timed out may leave processes behind: they end with the group. */
function endGroup(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
