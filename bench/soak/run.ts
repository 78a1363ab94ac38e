// Runs one soak: `npm run soak -- jobs`. Each is a file of this folder that exports `run`.
import { readdir } from "node:fs/promises";

const [name, ...words] = process.argv.slice(2);
const folder = new URL(".", import.meta.url);
const names = (await readdir(folder))
  .filter((file) => /^[a-z-]+\.soak\.ts$/.test(file))
  .map((file) => file.slice(0, -8));

if (name && names.includes(name)) {
  const { run } = (await import(`./${name}.soak.ts`)) as { run(words: string[]): Promise<void> };
  await run(words);
} else {
  console.error(`Say which: ${names.map((each) => `npm run soak -- ${each}`).join(", ")}`);
  process.exitCode = 2;
}
