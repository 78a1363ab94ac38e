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
import type { Command } from "./command.ts";
import { completionCommands } from "./completion.ts";
import { buildDashboardWhenStale } from "./dashboard.ts";
import { doctorCommands } from "./doctor.ts";
import { keyCommands } from "./keys.ts";
import { organizationCommands } from "./organizations.ts";
import { ownersRequestCommands } from "./owners-requests.ts";
import { secretCommands } from "./secrets.ts";
import { statusCommands } from "./status.ts";
import { usageCommands } from "./usage.ts";
import { userCommands } from "./users.ts";

/** Every command. The parser, the help, the completions and the reference are made from this table. */
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
      const [{ main }, { describeStart, keepFirstKey }] = await Promise.all([
        import("@waypost/server/main"),
        import("./client/first-key.ts"),
      ]);
      const start = await describeStart();
      await main({ keepFirstKey: (credentials) => keepFirstKey(credentials, start) });
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
  ...ownersRequestCommands,
  ...completionCommands(() => ({ commands, groups })),
];

/** The help text of each group: the first word of several commands. */
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

/** Groups whose name alone lists. */
export const listing: ReadonlySet<string> = new Set(["jobs", "collections", "exports", "webhooks"]);
