// What a process of the tests runs: file after file, each as a suite with its name, so that its hooks end with it.
import { open } from "node:fs/promises";
import { join, relative } from "node:path";
import { suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import { forgetFileDatabase } from "../../server/test/postgres.ts";

const root = join(import.meta.dirname, "../..");

/** Runs those of the files that no other process has claimed in the folder. */
export async function runFiles(files: readonly string[], claims: string, patienceMs: number): Promise<void> {
  // A test may wait for what keeps no process alive, as the timer of AbortSignal.timeout().
  const awake = setInterval(() => undefined, patienceMs);
  for (const file of files) {
    if (await claim(join(claims, encodeURIComponent(relative(root, file))))) await runFile(file);
  }
  clearInterval(awake);
  endWithAReason(patienceMs);
}

async function claim(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Resolves when the last test of the file has ended, and what it deferred. */
async function runFile(file: string): Promise<void> {
  await suite(relative(root, file), async () => {
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      // A suite that fails is no failed test, and would be missing from the count.
      void test("the file loads", () => Promise.reject(error));
    }
  });
  forgetFileDatabase();
}

/**
 * Node ends the process when nothing is open any more. What a test left open fails the run, and is named, once whoever
 * reads the results has taken them.
 */
function endWithAReason(patienceMs: number): void {
  const timer = setTimeout(() => {
    if (process.stdout.writableLength > 0) return endWithAReason(patienceMs);
    console.error(`A test left this open: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit(1);
  }, patienceMs);
  timer.unref();
}
