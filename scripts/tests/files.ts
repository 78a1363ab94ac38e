import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const everything = ["server/src/**/*.test.ts", "server/test/**/*.test.ts", "sdk/test/**/*.test.ts", "cli/**/*.test.ts"];
const endToEnd = ["e2e/**/*.test.ts", "server/test/extending.test.ts"];
/** What others have left in the memory of a process makes it pause longer, and hides what it grows by. */
const measuresItsProcess = /loop-watch\.ts|monitorEventLoopDelay|process\.memoryUsage/;

/** `shared` run one after another in a few processes, each of the others in a process of its own. */
export type Chosen = { shared: string[]; measuring: string[]; endToEnd: string[] };

/** All test files, or those that the patterns name. */
export function chooseFiles(patterns: readonly string[]): Chosen {
  const named = find(patterns.length > 0 ? patterns : [...everything, ...endToEnd]);
  const missing = patterns.find((pattern) => find([pattern]).length === 0);
  if (missing !== undefined) throw new Error(`No file is named ${missing}.`);
  const stories = new Set(find(endToEnd));
  const within = named.filter((file) => !stories.has(file));
  const measuring = within.filter((file) => measuresItsProcess.test(readFileSync(file, "utf8")));
  return {
    shared: within.filter((file) => !measuring.includes(file)),
    measuring,
    endToEnd: named.filter((file) => stories.has(file)),
  };
}

function find(patterns: readonly string[]): string[] {
  const found = globSync([...patterns], { exclude: ["**/node_modules/**"] }).map((file) => resolve(file));
  return [...new Set(found)].toSorted();
}
