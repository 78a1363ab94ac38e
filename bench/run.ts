// Runs one benchmark: `npm run bench -- auth`. Each is a file of this folder that exports `run`.
import { readdir } from "node:fs/promises";

const [name, ...words] = process.argv.slice(2);
const folder = new URL(".", import.meta.url);
const names = (await readdir(folder))
  .filter((file) => /^[a-z-]+\.bench\.ts$/.test(file))
  .map((file) => file.slice(0, -9));

if (name && names.includes(name)) {
  const { run } = (await import(`./${name}.bench.ts`)) as { run(words: string[]): Promise<void> };
  await run(words);
} else {
  console.error(`Say which: ${names.map((each) => `npm run bench -- ${each}`).join(", ")}`);
  process.exitCode = 2;
}
