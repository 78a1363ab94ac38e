import { globSync } from "node:fs";
import { resolve } from "node:path";

const everything = ["server/src/**/*.test.ts", "server/test/**/*.test.ts", "sdk/test/**/*.test.ts", "cli/**/*.test.ts"];
const endToEnd = ["e2e/**/*.test.ts", "server/test/extending.test.ts"];

/** `shared` run one after another in a few processes, each of `alone` in a process of its own. */
export type Chosen = { shared: string[]; alone: string[] };

/** All test files, or those that the patterns name. */
export function chooseFiles(patterns: readonly string[]): Chosen {
  const named = find(patterns.length > 0 ? patterns : [...everything, ...endToEnd]);
  const missing = patterns.find((pattern) => find([pattern]).length === 0);
  if (missing !== undefined) throw new Error(`No file is named ${missing}.`);
  const apart = new Set(find(endToEnd));
  return {
    shared: named.filter((file) => !apart.has(file)),
    alone: named.filter((file) => apart.has(file)),
  };
}

function find(patterns: readonly string[]): string[] {
  const found = globSync([...patterns], { exclude: ["**/node_modules/**"] }).map((file) => resolve(file));
  return [...new Set(found)].toSorted();
}
