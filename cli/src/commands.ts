import { backupCommands } from "./backup.ts";
import { catalogCommands } from "./catalog.ts";
import { keyCommands } from "./keys.ts";
import { organizationCommands } from "./organizations.ts";
import { usageCommands } from "./usage.ts";
import { secretCommands } from "./secrets.ts";

export type Values = Record<string, string | boolean | undefined>;

/** What a command found: as data for `--json`, as text for people. */
export type Output = { data: unknown; text: string };

export type Command = {
  name: string;
  about: string;
  /** The words after the name, as the help shows them. */
  words: string;
  options: Record<string, string>;
  run(values: Values, words: string[]): Promise<Output | undefined>;
};

export const commands: readonly Command[] = [
  {
    name: "serve",
    about: "Start the service",
    words: "",
    options: {},
    async run() {
      await import("@waypost/server/main");
      return undefined;
    },
  },
  ...keyCommands,
  ...organizationCommands,
  ...usageCommands,
  ...secretCommands,
  ...backupCommands,
  ...catalogCommands,
];
