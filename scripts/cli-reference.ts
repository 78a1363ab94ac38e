// Writes docs/reference/cli.md from the table of commands: `npm run cli-reference`.
import { writeFile } from "node:fs/promises";
import { cliReference } from "../cli/src/reference.ts";

await writeFile(new URL("../docs/reference/cli.md", import.meta.url), cliReference());
console.log("Wrote docs/reference/cli.md");
