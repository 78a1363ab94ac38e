import type { LinkView } from "@waypost/server/operator";
import type { Command, Output } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { optional, required, withOperator } from "./operator.ts";
import { table } from "./table.ts";

const shared = { org: "The organization, by id or name; not needed when there is one", json: "Print JSON" };

export const userCommands: readonly Command[] = [
  {
    name: "users list",
    about: "List the people who may sign in to the dashboard",
    words: "",
    options: shared,
    async run(values) {
      const members = await withOperator(({ users }) => users.list(optional(values, "org")));
      const rows = members.map(({ email, name, role, joined_at: joinedAt }) => [email, name, role, joinedAt]);
      return { data: { users: members }, text: table(["EMAIL", "NAME", "ROLE", "JOINED"], rows) };
    },
  },
  {
    name: "users invite",
    about: "Make a one-time link by which a person joins; it works for 7 days",
    words: "--email EMAIL",
    options: { email: "Who is invited", role: "owner, member or viewer (member)", ...shared },
    async run(values) {
      const request = { email: required(values, "email"), role: optional(values, "role") ?? "member" };
      return shown(await withOperator(({ users }) => users.invite(optional(values, "org"), request)));
    },
  },
  {
    name: "users reset",
    about: "Make a one-time link by which a person sets a new password; it works for a day",
    words: "EMAIL",
    options: shared,
    async run(values, words) {
      return shown(await withOperator(({ users }) => users.reset(optional(values, "org"), one(words))));
    },
  },
  {
    name: "users release",
    about: "Let another person at the identity provider sign in under this address; ends the sessions of the old one",
    words: "EMAIL",
    options: shared,
    async run(values, words) {
      const data = await withOperator(({ users }) => users.release(optional(values, "org"), one(words)));
      return { data, text: `The next sign-in through the provider as ${data.released} has the account.` };
    },
  },
  {
    name: "users remove",
    about: "End a person's membership and their sessions",
    words: "EMAIL",
    options: shared,
    async run(values, words) {
      const data = await withOperator(({ users }) => users.remove(optional(values, "org"), one(words)));
      return { data, text: `${data.removed} is no longer a member.` };
    },
  },
];

/** A command knows where people reach the service from WAYPOST_PUBLIC_URL alone; without it the link begins with its path. */
function shown(link: LinkView): Output {
  const text = [
    link.url === null
      ? "Send this to the person; put the dashboard's own address in front, or set WAYPOST_PUBLIC_URL. It works once:"
      : "Send this to the person. It works once:",
    "",
    `  ${link.url ?? link.path}`,
    "",
    `It expires at ${link.expires_at}.`,
  ];
  return { data: link, text: text.join("\n") };
}

function one(words: readonly string[]): string {
  const [named, ...others] = words;
  if (named === undefined || others.length > 0) {
    throw new UsageProblem("Give one EMAIL; `waypost users list` shows them.");
  }
  return named;
}
