import { backupCommands } from "./backup.ts";
import { catalogCommands } from "./catalog.ts";
import { accountCommands } from "./client/account.ts";
import { collectionCommands } from "./client/collections.ts";
import { exportCommands } from "./client/exports.ts";
import { jobCommands } from "./client/jobs.ts";
import { listenCommands } from "./client/listen.ts";
import { mcpCommands } from "./client/mcp.ts";
import { searchCommands } from "./client/search.ts";
import { webhookCommands } from "./client/webhooks.ts";
import { completionCommands } from "./completion.ts";
import { buildDashboardWhenStale } from "./dashboard.ts";
import { doctorCommands } from "./doctor.ts";
import { keyCommands } from "./keys.ts";
import { organizationCommands } from "./organizations.ts";
import { secretCommands } from "./secrets.ts";
import { statusCommands } from "./status.ts";
import { usageCommands } from "./usage.ts";
import { userCommands } from "./users.ts";

export type Values = Record<string, string | boolean | undefined>;

/** What a command found: as data for `--json`, as text for people. */
export type Output = {
  data: unknown;
  text: string;
  /** Other than 0, when what was found is not what was hoped for. */ exitCode?: number;
};

/** An option without a value. */
export type Flag = { flag: string };

export type Command = {
  name: string;
  about: string;
  /** The words after the name, as the help shows them: `NAME`, `[NAME]` when it may be absent, `NAME…` when there may be several. */
  words: string;
  /** The sentence of each option, which takes a value unless it is a flag; `json` is a flag everywhere. */
  options: Record<string, string | Flag>;
  run(values: Values, words: string[]): Promise<Output | undefined>;
};

/** Every command there is: the parser, the help, the completions and the reference are made from this table. */
export const commands: readonly Command[] = [
  ...searchCommands,
  ...jobCommands,
  ...collectionCommands,
  ...exportCommands,
  ...webhookCommands,
  ...listenCommands,
  ...mcpCommands,
  ...accountCommands,
  {
    name: "serve",
    about: "Start the service",
    words: "",
    options: {},
    async run() {
      const { readConfig } = await import("@waypost/server/config");
      // A worker serves no pages, and a bad configuration nothing at all.
      if (readConfig().role !== "worker") await buildDashboardWhenStale();
      await import("@waypost/server/main");
      return undefined;
    },
  },
  ...statusCommands,
  ...doctorCommands,
  ...keyCommands,
  ...organizationCommands,
  ...userCommands,
  ...usageCommands,
  ...secretCommands,
  ...backupCommands,
  ...catalogCommands,
  ...completionCommands,
];

/** What the first word of several commands stands for. */
export const groups: Readonly<Record<string, string>> = {
  jobs: "Scrape jobs",
  collections: "Collections: everything for a query in an area",
  exports: "Exports of results to files",
  webhooks: "Webhook endpoints, their deliveries, and events on this machine",
  keys: "API keys of this installation",
  org: "Organizations of this installation",
  users: "People who may sign in to the dashboard",
  secrets: "What encrypts this installation's secrets",
  catalog: "The place index of this installation",
};

/** Groups that list when nothing is said after their name. */
export const listing: ReadonlySet<string> = new Set(["jobs", "collections", "exports", "webhooks"]);
