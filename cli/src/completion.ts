import type { Command } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { type OptionValue, optionValue } from "./option-values.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

type Groups = Readonly<Record<string, string>>;
type Table = { commands: readonly Command[]; groups: Groups };

/** The table holds this command too, so it is read when the command runs. */
export function completionCommands(readTable: () => Table): readonly Command[] {
  return [
    {
      name: "completion",
      about: "Print a script that completes commands, options, values and file names in bash, zsh or fish",
      words: "SHELL",
      options: {},
      async run(_, [shell]) {
        if (!isShell(shell)) throw new UsageProblem(`Give one of ${shells.join(", ")}.`);
        const { commands, groups } = readTable();
        const script = completionScript(shell, commands, groups);
        return { data: { shell, script }, text: script };
      },
    },
  ];
}

function isShell(word: string | undefined): word is Shell {
  return shells.some((shell) => shell === word);
}

/** The script is static: completing a word starts no process. */
export function completionScript(shell: Shell, commands: readonly Command[], groups: Groups): string {
  return { bash, zsh, fish }[shell](commands, groups);
}

type Choice = { word: string; about: string };

/** The words that may follow each beginning of a command line; `""` is the empty one. */
function choicesByPrefix(commands: readonly Command[], groups: Groups): Map<string, Choice[]> {
  const choices = new Map<string, Choice[]>([["", []]]);
  const add = (prefix: string, choice: Choice) => {
    const known = choices.get(prefix) ?? [];
    if (!known.some(({ word }) => word === choice.word)) choices.set(prefix, [...known, choice]);
  };
  for (const { name, about, options } of commands) {
    const [first = "", second] = name.split(" ");
    add("", { word: first, about: second === undefined ? about : (groups[first] ?? "") });
    if (second !== undefined) add(first, { word: second, about });
    for (const [option, sentence] of Object.entries(options)) {
      add(name, { word: `--${option}`, about: typeof sentence === "string" ? sentence : sentence.flag });
    }
    add(name, { word: "--help", about: "Show the help of this command" });
  }
  add("completion", { word: "bash", about: "" });
  add("completion", { word: "zsh", about: "" });
  add("completion", { word: "fish", about: "" });
  for (const word of ["--help", "--version"]) add("", { word, about: "" });
  return choices;
}

type Valued = { command: string; option: string } & OptionValue;

/** Every option of a command that takes a value. */
function valuedOptions(commands: readonly Command[]): Valued[] {
  return commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, about]) => {
      if (option === "json" || typeof about === "object") return [];
      return [{ command: name, option, ...(optionValue(name, option) ?? { placeholder: "VALUE" }) }];
    }),
  );
}

/** Cases of a shell on the command and the word before the one that is completed. */
function valueCases(
  commands: readonly Command[],
  shell: { choices(list: string): string; files: string; none: string },
) {
  return valuedOptions(commands).map(({ command, option, choices, isFile }) => {
    const offer = choices ? shell.choices(choices.join(" ")) : isFile ? shell.files : shell.none;
    return `    "${command} --${option}") ${offer} ;;`;
  });
}

function bash(commands: readonly Command[], groups: Groups): string {
  const cases = Array.from(choicesByPrefix(commands, groups), ([prefix, choices]) => {
    return `    "${prefix}") words="${choices.map(({ word }) => word).join(" ")}" ;;`;
  });
  const values = valueCases(commands, {
    choices: (list) => `COMPREPLY=($(compgen -W "${list}" -- "$current")); return 0`,
    files: 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return 0',
    none: "return 0",
  });
  return `# Completion of waypost for bash: source <(waypost completion bash)
_waypost() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="" second="" words=""
  [ "$COMP_CWORD" -gt 1 ] && first="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && second="\${COMP_WORDS[2]}"
  case "$first \${second}" in
${groupCases(commands)}
    *) second="" ;;
  esac
  local command="$first\${second:+ $second}"
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "\${#COMPREPLY[@]}" -eq 0 ] && compopt -o default 2>/dev/null
  return 0
}
complete -F _waypost waypost`;
}

/** The commands of two words: of others the second word is already an argument. */
function groupCases(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name.includes(" "));
  return names.map((name) => `    "${name}") ;;`).join("\n");
}

function zsh(commands: readonly Command[], groups: Groups): string {
  const cases = Array.from(choicesByPrefix(commands, groups), ([prefix, choices]) => {
    const described = choices.map(({ word, about }) => `'${word}'${about ? `:${zshQuoted(about)}` : ""}`);
    return `    "${prefix}") choices=(${described.join(" ")}) ;;`;
  });
  const values = valueCases(commands, {
    choices: (list) => `compadd -- ${list}; return`,
    files: "_files; return",
    none: "return",
  });
  return `#compdef waypost
# Completion of waypost for zsh: waypost completion zsh > "\${fpath[1]}/_waypost"
_waypost() {
  local first="" second=""
  local -a choices
  (( CURRENT > 2 )) && first="\${words[2]}"
  (( CURRENT > 3 )) && second="\${words[3]}"
  case "$first $second" in
${groupCases(commands)}
    *) second="" ;;
  esac
  local command="$first\${second:+ $second}"
  case "$command \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  if (( \${#choices} )); then _describe waypost choices; else _files; fi
}
if [ "$funcstack[1]" = "_waypost" ]; then _waypost "$@"; else compdef _waypost waypost; fi`;
}

function fish(commands: readonly Command[], groups: Groups): string {
  const valued = valuedOptions(commands);
  const lines = Array.from(choicesByPrefix(commands, groups)).flatMap(([prefix, choices]) => {
    const [first, second] = prefix.split(" ");
    const seconds = choices.filter(({ word }) => !word.startsWith("--")).map(({ word }) => word);
    const condition = !first
      ? "__fish_use_subcommand"
      : second
        ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
        : `__fish_seen_subcommand_from ${first}${seconds.length > 0 ? `; and not __fish_seen_subcommand_from ${seconds.join(" ")}` : ""}`;
    return choices.map(({ word, about }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}${fishValue(valued, prefix, word)}` : `-a ${word}`;
      return `complete -c waypost -n ${fishQuoted(condition)} ${what}${about ? ` -d ${fishQuoted(about)}` : ""}`;
    });
  });
  return [
    "# Completion of waypost for fish: waypost completion fish > ~/.config/fish/completions/waypost.fish",
    "complete -c waypost -f",
    ...lines,
  ].join("\n");
}

/** What follows an option: its choices, a file, any text, or nothing. */
function fishValue(valued: readonly Valued[], prefix: string, word: string): string {
  const value = valued.find(({ command, option }) => command === prefix && `--${option}` === word);
  if (!value) return "";
  if (value.choices) return ` -x -a ${fishQuoted(value.choices.join(" "))}`;
  return value.isFile ? " -r -F" : " -x";
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
