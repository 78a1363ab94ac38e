import { Command as Parser, CommanderError } from "commander";
import type { Command, Output, Values } from "./command.ts";
import { commands, groups, listing } from "./commands.ts";
import { examples, examplesOfGroup, examplesText } from "./examples.ts";
import { UsageProblem } from "./failures.ts";
import { optionValue } from "./option-values.ts";

type Outcome = { output: Output | undefined };

/** Parses the words, runs the command they name and resolves to its outcome; undefined when it printed help. */
export async function runCommand(words: readonly string[], version: string): Promise<Outcome | undefined> {
  refuseKeys(words);
  let outcome: Outcome | undefined;
  const program = createProgram(version, async (command, values, rest) => {
    outcome = { output: await command.run(values, rest) };
  });
  try {
    await program.parseAsync(expand(words), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.help") throw new UsageProblem(unfinished(words));
    if (error.exitCode !== 0) throw new UsageProblem(sentence(error.message));
  }
  return outcome;
}

type Run = (command: Command, values: Values, words: string[]) => Promise<void>;

export function createProgram(version: string, run: Run): Parser {
  const program = new Parser("waypost");
  configure(program)
    .description("Waypost: business search and scrape jobs on your own machine.")
    .version(version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show this help, or that of a command")
    .addHelpText("after", examplesText(examplesOfGroup("")))
    .addHelpText("after", "\nAdd --help to a command to see its options.");
  const parents = new Map<string, Parser>();
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    if (second === undefined) {
      define(program, first, command, run);
      continue;
    }
    const parent =
      parents.get(first) ??
      configure(program.command(first))
        .description(groups[first] ?? "")
        .addHelpText("after", examplesText(examplesOfGroup(first)));
    parents.set(first, parent);
    define(parent, second, command, run);
  }
  return program;
}

function define(parent: Parser, name: string, command: Command, run: Run) {
  const parser = configure(parent.command(name))
    .description(command.about)
    .usage([command.words, "[options]"].filter(Boolean).join(" "))
    .argument("[words...]")
    .addHelpText("after", examplesText(examples[command.name] ?? []))
    .action(async (words: string[], given: Record<string, string | boolean>) => {
      refuseExcess(command, words);
      const names = Object.keys({ ...command.options, json: "" });
      const values: Values = Object.fromEntries(names.map((each) => [each, given[attribute(each)]]));
      refuseTwoFormats(values);
      await run(command, values, words);
    });
  for (const [option, about] of Object.entries(command.options)) {
    const isFlag = option === "json" || typeof about === "object";
    const value = optionValue(command.name, option)?.placeholder ?? "VALUE";
    parser.option(isFlag ? `--${option}` : `--${option} <${value}>`, typeof about === "object" ? about.flag : about);
  }
  // Accepted everywhere, so that a script need not know which command prints.
  if (!command.options["json"]) parser.option("--json", "Print JSON");
}

/** How each parser behaves: it throws instead of ending the process, and what it says comes from here. */
function configure(parser: Parser): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({
      subcommandTerm: (each) => `${each.name()} ${each.usage().replace(/ ?\[options\].*$/, "")}`.trim(),
    })
    .configureOutput({ writeOut: (text) => process.stdout.write(text), writeErr: () => undefined });
}

/** `help keys create` is `keys create --help`; `jobs` alone lists. */
function expand(words: readonly string[]): string[] {
  const [first = "", second] = words;
  if (words.length === 0) return ["--help"];
  if (first === "help") return expand([...words.slice(1), "--help"]);
  // There is no help of what is no command; without the flag, the parser says so.
  if (!isCommand(words)) return words.filter((word) => !isHelp(word));
  const isAlone = second === undefined || (second.startsWith("-") && !isHelp(second));
  if (listing.has(first) && isAlone) return [first, "list", ...words.slice(1)];
  return [...words];
}

/** Whether the words before the options begin with a command, or with the first word of several. */
function isCommand(words: readonly string[]): boolean {
  const options = words.findIndex((word) => word.startsWith("-"));
  const [first, second] = options === -1 ? words : words.slice(0, options);
  if (first === undefined) return true;
  const seconds = commands.map(({ name }) => name.split(" ")).filter(([each]) => each === first);
  return seconds.some(([, each]) => each === undefined || second === undefined || each === second);
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** The first word of several commands, without a second. */
function unfinished([group = ""]: readonly string[]): string {
  const names = commands.map(({ name }) => name.split(" ")).filter(([first]) => first === group);
  return `Say what to do with ${group}: ${names.map(([, second]) => second).join(", ")}.`;
}

/** How many words a command takes: those named before its options. */
function wordsMax({ words }: Command): number {
  if (words.includes("…") && !words.includes('"…"')) return Number.POSITIVE_INFINITY;
  const tokens = words.split(" ").filter(Boolean);
  const options = tokens.findIndex((token) => token.startsWith("--"));
  return options === -1 ? tokens.length : options;
}

function refuseExcess(command: Command, words: readonly string[]) {
  const unexpected = words[wordsMax(command)];
  if (unexpected === undefined) return;
  throw new UsageProblem(`Unexpected word '${unexpected}'; \`waypost ${command.name} --help\` shows what it takes.`);
}

/** Whichever of the two were printed, whoever asked for the other would read it wrongly. */
function refuseTwoFormats({ json, csv }: Values) {
  if (json === true && csv === true) throw new UsageProblem("--json and --csv are two formats; choose one.");
}

/** A key among the words is in the shell's history and in the list of processes by now. */
function refuseKeys(words: readonly string[]) {
  const isKey = words.some((word) => /svc_(live|test)_\w{8}/.test(word) || /^--(api-?)?key\b/i.test(word));
  if (!isKey) return;
  throw new UsageProblem(
    "A key does not belong on the command line, where other users and the shell's history see it: run `waypost login`, or set WAYPOST_API_KEY. Rotate the key if you have just typed it.",
  );
}

/** The parser's message as a sentence of ours. */
function sentence(message: string): string {
  const [first = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const capitalized = first.charAt(0).toUpperCase() + first.slice(1).replace(/[.]?$/, ".");
  const hint = suggestion?.replace(/^\((.*)\)$/, "$1") ?? "Add --help to see what there is.";
  return `${capitalized} ${hint}`;
}

/** How the parser names an option's value: `forward-to` is `forwardTo`. */
function attribute(option: string): string {
  return option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
