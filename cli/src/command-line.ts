import { readFile } from "node:fs/promises";
import { explain } from "./failures.ts";
import { flushOutput } from "./output.ts";
import { runCommand } from "./program.ts";
import { printableJson } from "./terminal.ts";

/** Runs what the words say, prints what it found or what went wrong, and resolves to the exit code. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const json = words.includes("--json");
  try {
    const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    const found = await runCommand(words, version);
    const { data, text, exitCode = 0 } = found?.output ?? {};
    if (found?.output) console.log(json ? printableJson(data) : text);
    await flushOutput();
    return exitCode;
  } catch (error) {
    return explain(error, json);
  }
}
