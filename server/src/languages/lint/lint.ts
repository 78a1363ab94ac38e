// Says what is wrong with the files of languages: part of npm run lint.
import { join } from "node:path";
import { readLanguageFiles } from "../compile/read-files.ts";
import { faultsOf } from "./rules.ts";

for (const { tag, rule, what } of faultsOf(readLanguageFiles(join(import.meta.dirname, "..")))) {
  process.stderr.write(`${tag}.yaml: ${rule}: ${what}\n`);
  process.exitCode = 1;
}
