import type { Command } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { optional, withOperator } from "./operator.ts";
import { table } from "./table.ts";
import { unitsText } from "./units.ts";

export const usageCommands: readonly Command[] = [
  {
    name: "usage",
    about: "Show the request units used, by month and organization, and the latest entries of the ledger",
    words: "",
    options: {
      org: "One organization, by id or name (all)",
      months: "How many months, the current one included, 1 to 120 (12)",
      ledger: "How many entries of the ledger, 0 to 1000 (10)",
      json: "Print JSON",
    },
    async run(values) {
      const request = {
        organization: optional(values, "org"),
        months: count(optional(values, "months") ?? "12", "months", 1, 120),
        ledger: count(optional(values, "ledger") ?? "10", "ledger", 0, 1_000),
      };
      const usage = await withOperator((operator) => operator.usage.show(request));
      const months = usage.months.map((each) => [
        each.month,
        each.organization,
        String(each.used),
        unitsText(each.allowance),
        each.remaining === null ? "" : unitsText(each.remaining),
      ]);
      const entries = usage.ledger.map((each) => [
        each.created_at,
        each.organization,
        each.kind,
        each.units > 0 ? `+${each.units}` : String(each.units),
        each.reference,
      ]);
      const tables = [
        table(["MONTH", "ORGANIZATION", "USED", "ALLOWANCE", "REMAINING"], months),
        ...(entries.length > 0 ? ["", table(["TIME", "ORGANIZATION", "KIND", "UNITS", "FOR"], entries)] : []),
      ];
      return { data: usage, text: tables.join("\n") };
    },
  },
];

function count(text: string, option: string, min: number, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageProblem(`--${option} must be a whole number from ${min} to ${max}.`);
}
