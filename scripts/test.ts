// Runs the tests on one embedded PostgreSQL, started here and gone afterwards. Each test file
// clones its own database from a migrated template. Arguments choose files: npm test -- server/test/api.test.ts
import { spawn } from "node:child_process";
import { join } from "node:path";
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

const folder = await makeTempFolder();
const postgres = await openTestPostgres(folder);
const files = process.argv.slice(2);
// A test that timed out may leave timers and processes behind: its file ends all the same, and whatever it
// started ends with the runner's process group.
const flags = ["--test", "--test-timeout=300000", "--test-force-exit", "--test-concurrency=3"];
const child = spawn(process.execPath, [...flags, ...(files.length > 0 ? files : everything)], {
  stdio: "inherit",
  detached: true,
  env: {
    ...process.env,
    WAYPOST_TEST_POSTGRES: JSON.stringify(postgres.connection),
    NODE_COMPILE_CACHE: join(folder, "compiled"),
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
const deadline = setTimeout(() => {
  console.error(`The tests did not end within ${runDeadlineMs / 60_000} minutes.`);
  endGroup();
}, runDeadlineMs);
const code = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
clearTimeout(deadline);
endGroup();
await postgres.stop();
await removeFolder(folder);
process.exitCode = code;

function endGroup() {
  try {
    process.kill(-(child.pid ?? 0), "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
