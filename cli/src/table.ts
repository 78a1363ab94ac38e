import { displayWidth, printable, styled } from "./terminal.ts";

/** Columns as wide as their widest cell, for a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => displayWidth(line[column] ?? ""))));
  const [first = "", ...rest] = lines.map((line) =>
    line
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - displayWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
  return [styled("bold", first), ...rest].join("\n");
}

/** One line for each label with its value. */
export function facts(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`).join("\n");
}
