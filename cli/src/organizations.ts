import type { OrganizationView } from "@waypost/server/operator";
import type { Command, Output } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { optional, required, withOperator } from "./operator.ts";
import { table } from "./table.ts";
import { hasCeiling, unitsText } from "./units.ts";

const json = { json: "Print JSON" };
const changes = {
  entitlement: "active or inactive: whether live keys may be used (active)",
  allowance: "Request units per month, none for no ceiling, or default",
};

export const organizationCommands: readonly Command[] = [
  {
    name: "org list",
    about: "List the organizations with what they have used this month",
    words: "",
    options: json,
    async run() {
      const organizations = await withOperator((operator) => operator.organizations.list());
      const rows = organizations.map((each) => [
        each.id,
        each.name,
        each.entitlement,
        unitsText(each.allowance),
        String(each.used),
        unitsText(each.remaining),
      ]);
      const head = ["ID", "NAME", "ENTITLEMENT", "ALLOWANCE", "USED", "REMAINING"];
      return { data: { organizations }, text: table(head, rows) };
    },
  },
  {
    name: "org show",
    about: "Show one organization",
    words: "[ORG]",
    options: json,
    async run(_values, words) {
      return shown(await withOperator(({ organizations }) => organizations.show(atMostOne(words))));
    },
  },
  {
    name: "org create",
    about: "Make an organization",
    words: "--name NAME",
    options: { name: "What it is called", ...changes, ...json },
    async run(values) {
      const name = required(values, "name");
      const request = { entitlement: optional(values, "entitlement"), allowance: optional(values, "allowance") };
      return shown(await withOperator(({ organizations }) => organizations.create({ name, ...request })));
    },
  },
  {
    name: "org set",
    about: "Change an organization's name, entitlement or allowance; every process heeds it within a second",
    words: "[ORG]",
    options: { name: "What it is to be called", ...changes, ...json },
    async run(values, words) {
      const request = {
        name: optional(values, "name"),
        entitlement: optional(values, "entitlement"),
        allowance: optional(values, "allowance"),
      };
      if (Object.values(request).every((value) => value === undefined)) {
        throw new UsageProblem("Say what to change: --name, --entitlement or --allowance.");
      }
      return shown(await withOperator(({ organizations }) => organizations.set(atMostOne(words), request)));
    },
  },
];

function shown(organization: OrganizationView): Output {
  const { allowance, allowance_is_default: isDefault } = organization;
  const rows = [
    ["Id", organization.id],
    ["Name", organization.name],
    ["Entitlement", organization.entitlement],
    [
      "Allowance",
      `${unitsText(allowance)}${hasCeiling(allowance) ? " request units a month" : ""}${isDefault ? " (default)" : ""}`,
    ],
    ["Used", `${organization.used}${hasCeiling(allowance) ? `, ${organization.remaining} remaining` : ""}`],
    ["Resets", organization.resets_at],
    ["Created", organization.created_at],
  ];
  const text = rows.map(([label = "", value = ""]) => `${label.padEnd(12)} ${value}`).join("\n");
  return { data: organization, text };
}

function atMostOne(words: readonly string[]): string | undefined {
  if (words.length > 1) throw new UsageProblem("Give one ORG, by id or name; `waypost org list` shows them.");
  return words[0];
}
