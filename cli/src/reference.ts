import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import { optionValue } from "./option-values.ts";

/** docs/reference/cli.md as it is committed. */
export function cliReference(): string {
  return [
    "# The command line",
    "",
    "Made from the table of commands by `npm run cli-reference`. How to use them is in [the guide](../guides/cli.md).",
    "",
    "## Exit codes",
    "",
    "| code | means |",
    "|---|---|",
    ...exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    'With `--json` a failure is an object on standard error: `{"error": {"code", "message", "details"}}`, with `request_id` where the service answered.',
    "",
    "## Commands",
    ...commands.flatMap(section),
    "",
  ].join("\n");
}

function section({ name, words, about, options }: Command): string[] {
  const rows = Object.entries(options).map(([option, sentence]) =>
    typeof sentence === "string" && option !== "json"
      ? `| \`--${option} ${optionValue(name, option)?.placeholder ?? "VALUE"}\` | ${escaped(sentence)} |`
      : `| \`--${option}\` | ${escaped(typeof sentence === "string" ? sentence : sentence.flag)} |`,
  );
  const table = rows.length > 0 ? ["", "| option | means |", "|---|---|", ...rows] : [];
  return ["", `### \`waypost ${[name, words].filter(Boolean).join(" ")}\``, "", `${about}.`, ...table];
}

function escaped(sentence: string): string {
  return sentence.replaceAll("|", "\\|");
}
