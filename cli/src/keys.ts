import type { KeyView } from "@waypost/server/operator";
import type { Command, Output } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { optional, required, withOperator } from "./operator.ts";
import { table } from "./table.ts";

const org = { org: "The organization, by id or name; needed when there are several" };
const ofOrg = { org: "Only keys of this organization, by id or name (all)" };
const json = { json: "Print JSON" };

export const keyCommands: readonly Command[] = [
  {
    name: "keys create",
    about: "Make an API key and show it once",
    words: "--name NAME",
    options: {
      name: "What the key is for",
      environment: "live or test (live)",
      scopes: "Scopes, separated by commas (all)",
      networks: "CIDR blocks it may be used from, separated by commas (anywhere)",
      expires: "A date after which it no longer works (never)",
      ...org,
      ...json,
    },
    async run(values) {
      const request = {
        organization: optional(values, "org"),
        name: required(values, "name"),
        environment: optional(values, "environment") ?? "live",
        scopes: optional(values, "scopes")?.split(","),
        networks: optional(values, "networks")?.split(",") ?? [],
        expires: optional(values, "expires"),
      };
      return revealed(await withOperator(({ keys }) => keys.create(request)));
    },
  },
  {
    name: "keys list",
    about: "List the API keys",
    words: "",
    options: { ...ofOrg, ...json },
    async run(values) {
      const keys = await withOperator((operator) => operator.keys.list(optional(values, "org")));
      const rows = keys.map((key) => [
        key.id,
        key.prefix,
        key.status,
        key.name,
        key.organization,
        key.last_used_at ?? "never used",
      ]);
      return { data: { keys }, text: table(["ID", "KEY", "STATUS", "NAME", "ORGANIZATION", "LAST USE"], rows) };
    },
  },
  {
    name: "keys rotate",
    about: "Make a replacement for a key, by id or name; the old one works on for the overlap",
    words: "KEY",
    options: { overlap: "Hours the old key works on, 0 to 24 (24)", ...ofOrg, ...json },
    async run(values, words) {
      const key = keyOf(words);
      const overlap = Number(optional(values, "overlap") ?? "24");
      return revealed(await withOperator(({ keys }) => keys.rotate(optional(values, "org"), key, overlap)));
    },
  },
  {
    name: "keys revoke",
    about: "Disable a key, by id or name, at once and for good",
    words: 'KEY --reason "…"',
    options: { reason: "Why, in 10 to 500 characters", ...ofOrg, ...json },
    async run(values, words) {
      const key = keyOf(words);
      const reason = required(values, "reason");
      const revoked = await withOperator(({ keys }) => keys.revoke(optional(values, "org"), key, reason));
      return { data: revoked, text: `Revoked ${revoked.id} (${revoked.prefix}) at ${revoked.revoked_at}.` };
    },
  },
  {
    name: "keys generate",
    about: "Print a well-formed key that is installed nowhere, for WAYPOST_SEED_LIVE_KEY and WAYPOST_SEED_TEST_KEY",
    words: "",
    options: { environment: "live or test (live)", ...json },
    async run(values) {
      const { generateKey } = await import("@waypost/server/operator");
      const key = generateKey(optional(values, "environment") ?? "live");
      return { data: { key }, text: key };
    },
  },
];

function revealed(key: KeyView & { key: string }): Output {
  const text = [
    key.key,
    "",
    `This is the only time the key is shown. Id ${key.id}, ${key.environment}, ${key.scopes.join(" ")}`,
  ];
  return { data: key, text: text.join("\n") };
}

function keyOf([key, ...more]: readonly string[]): string {
  if (key !== undefined && more.length === 0) return key;
  throw new UsageProblem("Give one KEY, by id or name; `waypost keys list` shows them.");
}
