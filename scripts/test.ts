// Runs the tests on one embedded PostgreSQL, started here and gone afterwards. Each test file
// clones its own database from a migrated template. Arguments choose files: npm test -- server/test/api.test.ts
import { spawn } from "node:child_process";
import { openTestPostgres } from "../server/test/postgres.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";

const everything = [
  "server/src/**/*.test.ts",
  "server/test/**/*.test.ts",
  "sdk/test/**/*.test.ts",
  "cli/**/*.test.ts",
  "e2e/**/*.test.ts",
];

const folder = await makeTempFolder();
const postgres = await openTestPostgres(folder);
const files = process.argv.slice(2);
const child = spawn(
  process.execPath,
  ["--test", "--test-timeout=300000", "--test-concurrency=3", ...(files.length > 0 ? files : everything)],
  {
    stdio: "inherit",
    env: { ...process.env, WAYPOST_TEST_POSTGRES: JSON.stringify(postgres.connection) },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
await postgres.stop();
await removeFolder(folder);
process.exitCode = code;
