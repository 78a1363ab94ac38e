// Writes what the service loads of the files of languages: reading those and collecting their terms takes seconds.
// Run after a change of a language, of kinds, or of how words are normalized: npm run languages
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "./compile.ts";
import { readLanguageFiles } from "./read-files.ts";

const folder = join(import.meta.dirname, "..");
const written = [...compile(readLanguageFiles(folder))];

await rm(join(folder, "compiled"), { recursive: true, force: true });
await mkdir(join(folder, "compiled/terms"), { recursive: true });
for (const [name, text] of written) await writeFile(join(folder, "compiled", name), text);
