// Names functions over 70 lines and folders over 20 files that have no reason in scripts/sizes.ts, and reasons that
// nothing needs any more. Fails when there is one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { bigFolders, longFunctions, reasons } from "./sizes.ts";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && !/\.(test|d)\.tsx?$/.test(path) && path !== "sdk/src/openapi.ts");
const found = [...bigFolders(files), ...files.flatMap((path) => longFunctions(path, readFileSync(path, "utf8")))];
const problems = [
  ...found.filter(({ name }) => !reasons.has(name)).map(({ name, lines }) => `${name}: ${lines}, and no reason`),
  ...[...reasons.keys()]
    .filter((name) => !found.some((each) => each.name === name))
    .map((name) => `${name}: its reason is needed no more`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error("Look for the second idea, or give the reason in scripts/sizes.ts.");
  process.exitCode = 1;
}
