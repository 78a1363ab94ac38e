// Runs the tests on one embedded PostgreSQL, started here and gone afterwards. Each test file
// clones its own database from a migrated template. Arguments choose files: npm test -- server/test/api.test.ts
//
// The whole suite runs several files at once, with processes that are killed and a browser, on machines that may be
// busy: a file that fails there runs a second time, alone, and fails the run when it fails again. Files that passed
// only alone are named at the end, since each of them waits for time where it should wait for a condition.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { buildDashboardWhenStale } from "../cli/src/dashboard.ts";
import { openTestPostgres } from "../server/test/postgres.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";

const everything = [
  "server/src/**/*.test.ts",
  "server/test/**/*.test.ts",
  "sdk/test/**/*.test.ts",
  "cli/**/*.test.ts",
  "e2e/**/*.test.ts",
];
const runDeadlineMs = 3_600_000;
/** More failures than this are no coincidence of a busy machine. */
const rerunsMax = 5;
/** More than there are cores, because files also wait: for processes to start and end, for leases and retries. */
const concurrency = Math.min(availableParallelism() + 2, 8);

const folder = await makeTempFolder();
const chosen = process.argv.slice(2);
const [postgres] = await Promise.all([
  openTestPostgres(folder),
  // Once, or files that need it would each build their own at the same time.
  chosen.length > 0 ? undefined : buildDashboardWhenStale(),
]);
process.exitCode = chosen.length > 0 ? (await run(chosen, concurrency)).status : await runEverything();
await postgres.stop();
await removeFolder(folder);

async function runEverything(): Promise<number> {
  const first = await run(everything, concurrency);
  // An older Node names the file in which a test stands, and not the one that it ran.
  const canRerun = first.failed.length > 0 && first.failed.every((file) => file.endsWith(".test.ts"));
  if (first.status === 0 || !canRerun || first.failed.length > rerunsMax) return first.status;
  const names = first.failed.map((file) => relative(process.cwd(), file)).join(", ");
  console.log(`\nFailed beside other files, now run alone: ${names}\n`);
  const second = await run(first.failed, 1);
  if (second.status === 0) console.log(`\nPassed only alone: ${names}`);
  return second.status;
}

/**
 * A test that timed out may leave timers and processes behind: its file ends all the same, and whatever
 * it started ends with the runner's process group.
 */
async function run(files: readonly string[], filesAtOnce: number): Promise<{ status: number; failed: string[] }> {
  const failedPath = join(folder, "failed-files");
  const flags = [
    "--test",
    "--import=./scripts/whole-reports.ts",
    "--test-timeout=300000",
    "--test-force-exit",
    `--test-concurrency=${filesAtOnce}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./scripts/failed-files.ts",
    `--test-reporter-destination=${failedPath}`,
  ];
  const child = spawn(process.execPath, [...flags, ...files], {
    stdio: "inherit",
    detached: true,
    env: {
      ...process.env,
      ...postgres.environment,
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, passOn);
  const deadline = setTimeout(() => {
    console.error(`The tests did not end within ${runDeadlineMs / 60_000} minutes.`);
    endGroup(child.pid);
  }, runDeadlineMs);
  const status = await new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
  clearTimeout(deadline);
  for (const signal of signals) process.off(signal, passOn);
  endGroup(child.pid);
  const failed = await readFile(failedPath, "utf8").catch(() => "");
  return { status, failed: failed.split("\n").filter((line) => line !== "") };
}

function endGroup(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
