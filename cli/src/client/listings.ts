import type { Business } from "@waypost/sdk";
import type { Flag, Output } from "../command.ts";
import { table } from "../table.ts";
import { fit, printable } from "../terminal.ts";

export const formats: Record<string, Flag> = {
  json: { flag: "Print JSON" },
  csv: { flag: "Print CSV" },
};

type Column = { name: string; of(business: Business): string | number | null };

const columns: readonly Column[] = [
  { name: "name", of: ({ place }) => place.name },
  { name: "category", of: ({ place }) => place.category },
  { name: "address", of: ({ place }) => place.address.formatted },
  { name: "phone", of: ({ place }) => place.phone },
  { name: "website", of: ({ place }) => place.website },
  { name: "email", of: ({ place }) => place.emails[0] ?? null },
  { name: "rating", of: ({ place }) => place.rating },
  { name: "reviews", of: ({ place }) => place.reviewCount },
  { name: "latitude", of: ({ place }) => place.location?.latitude ?? null },
  { name: "longitude", of: ({ place }) => place.location?.longitude ?? null },
  { name: "business_id", of: ({ businessId }) => businessId },
  { name: "revision", of: ({ revision }) => revision },
];

const shown = new Set(["name", "category", "address", "phone", "rating"]);
const cellColumnsMax = 44;

/** Businesses as people and spreadsheets read them; `data` is what `--json` prints. */
export function listings(businesses: readonly Business[], data: unknown, isCsv: boolean, note: string): Output {
  return { data, text: isCsv ? csv(businesses) : [businessTable(businesses), note].filter(Boolean).join("\n\n") };
}

function businessTable(businesses: readonly Business[]): string {
  if (businesses.length === 0) return "No businesses.";
  const visible = columns.filter(({ name }) => shown.has(name));
  const rows = businesses.map((business) =>
    visible.map(({ of }) => fit(printable(String(of(business) ?? "")), cellColumnsMax)),
  );
  return table(
    visible.map(({ name }) => name.toUpperCase()),
    rows,
  );
}

function csv(businesses: readonly Business[]): string {
  const rows = businesses.map((business) => columns.map(({ of }) => csvCell(of(business))).join(","));
  return [columns.map(({ name }) => name).join(","), ...rows].join("\n");
}

/** A text that a spreadsheet would run gets an apostrophe before it, as in exports; a number is a number. */
function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = printable(value);
  const cell = /^'*[=+\-@＝＋－＠]/.test(safe) ? `'${safe}` : safe;
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
