/** The options a command was called with, by name. */
export type Values = Record<string, string | boolean | undefined>;

/** The outcome of a command: data for `--json`, text for people. */
export type Output = {
  data: unknown;
  text: string;
  /** 0 unless given. */
  exitCode?: number;
};

/** An option without a value. */
export type Flag = { flag: string };

export type Command = {
  name: string;
  about: string;
  /** The words after the name, as the help shows them: `NAME`, `[NAME]` when it is optional, `NAME…` for several. */
  words: string;
  /** The help text of each option. An option takes a value unless it is a flag; `json` is always a flag. */
  options: Record<string, string | Flag>;
  run(values: Values, words: string[]): Promise<Output | undefined>;
};
