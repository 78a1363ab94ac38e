import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How long a process may live after its last test. */
const usualPatienceMs = 15_000;

/**
 * What Node's runner takes for test files: one for each process, with the files that it may run. Those that stand in
 * several lists are run by the process that comes first.
 */
export async function writeEntries(
  folder: string,
  lists: readonly (readonly string[])[],
  patienceMs = usualPatienceMs,
): Promise<string[]> {
  const worker = join(import.meta.dirname, "worker.ts");
  const claims = join(folder, "claims");
  await mkdir(claims);
  return Promise.all(
    lists.map(async (files, index) => {
      const words = [files, claims, patienceMs].map((each) => JSON.stringify(each)).join(", ");
      // Node takes them in the order of their names.
      const path = join(folder, `${String(index).padStart(3, "0")}.ts`);
      await writeFile(path, `import { runFiles } from ${JSON.stringify(worker)};\nawait runFiles(${words});\n`);
      return path;
    }),
  );
}

/** The words for Node that run the entries, so many at once, and write the counts of their tests to a file. */
export function runnerWords(
  entries: readonly string[],
  { atOnce, countsPath, reporter = "spec" }: { atOnce: number; countsPath: string; reporter?: string },
): string[] {
  return [
    // As `npm start` does: starting an application for each test makes much garbage.
    "--max-semi-space-size=32",
    "--test",
    "--test-timeout=300000",
    `--test-concurrency=${atOnce}`,
    `--test-reporter=${reporter}`,
    "--test-reporter-destination=stdout",
    `--test-reporter=${join(import.meta.dirname, "counts.ts")}`,
    `--test-reporter-destination=${countsPath}`,
    ...entries,
  ];
}
