import { parseArgs } from "node:util";
import { commands, type Command } from "./commands.ts";
import { explain, UsageProblem } from "./failures.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const json = words.includes("--json");
  try {
    const found = findCommand(words);
    if (!found) {
      console.log(overview());
      return words.length === 0 || asksForHelp(words) ? 0 : 2;
    }
    const { command, rest } = found;
    if (asksForHelp(rest)) {
      console.log(help(command));
      return 0;
    }
    const { values, positionals } = parse(command, rest);
    const output = await command.run(values, positionals);
    if (output) console.log(json ? JSON.stringify(output.data, null, 2) : output.text);
    return 0;
  } catch (error) {
    return explain(error, json);
  }
}

function findCommand(words: readonly string[]): { command: Command; rest: string[] } | undefined {
  for (const command of commands) {
    const name = command.name.split(" ");
    if (name.every((word, index) => words[index] === word)) return { command, rest: words.slice(name.length) };
  }
  return undefined;
}

function parse(command: Command, words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      strict: true,
      options: {
        ...Object.fromEntries(Object.keys(command.options).map((name) => [name, { type: "string" as const }])),
        json: { type: "boolean" as const },
      },
    });
  } catch (error) {
    throw new UsageProblem(`${(error as Error).message}\n\n${help(command)}`);
  }
}

function asksForHelp(words: readonly string[]): boolean {
  return words.includes("--help") || words.includes("-h") || words[0] === "help";
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, about }) => `  waypost ${name.padEnd(width)}  ${about}`);
  return [
    "Waypost: business search and scrape jobs on your own machine.",
    "",
    ...lines,
    "",
    "Add --help to a command to see its options.",
  ].join("\n");
}

function help({ name, about, words, options }: Command): string {
  const width = Math.max(0, ...Object.keys(options).map((option) => option.length));
  const lines = Object.entries(options).map(([option, sentence]) => `  --${option.padEnd(width)}  ${sentence}`);
  return [about, "", `  waypost ${[name, words].filter(Boolean).join(" ")} [options]`, "", ...lines]
    .join("\n")
    .trimEnd();
}
