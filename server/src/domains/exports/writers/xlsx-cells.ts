import type { Column, ColumnType } from "./columns.ts";
import { isRunnable } from "./neutralize.ts";

/** Numbers of the cell formats in styles.xml. */
const asText = 1;
const asTimestamp = 2;
const asHeading = 3;

/** A spreadsheet's own limit for the text of a cell. */
const textMax = 32_767;
const cutMark = "… [cut]";

export function cellXml(index: number, row: number, type: ColumnType, value: unknown): string {
  const at = `${letters(index)}${row}`;
  if (type === "integer" || type === "number") return `<c r="${at}"><v>${String(value)}</v></c>`;
  if (type === "boolean") return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (type === "timestamp") {
    const serial = serialOf(String(value));
    if (serial !== undefined) return `<c r="${at}" s="${asTimestamp}"><v>${serial}</v></c>`;
  }
  return textCell(at, typeof value === "string" ? value : JSON.stringify(value));
}

export function headRow(columns: readonly Column[]): string {
  const cells = columns.map(
    ({ name }, index) => `<c r="${letters(index)}1" t="inlineStr" s="${asHeading}"><is><t>${name}</t></is></c>`,
  );
  return `<row r="1">${cells.join("")}</row>`;
}

/** A cell of text. What a spreadsheet might run is marked as quoted, so that it stays text when it is edited. */
export function textCell(at: string, text: string): string {
  const style = isRunnable(text) ? ` s="${asText}"` : "";
  return `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${xmlText(cut(text))}</t></is></c>`;
}

function cut(text: string): string {
  if (text.length <= textMax) return text;
  return text.slice(0, textMax - cutMark.length) + cutMark;
}

// Controls that XML cannot carry, halves of surrogate pairs, and the two characters that are none.
const unwritable = /[^\P{Cc}\t\n\r\x7f-\x9f]|[\p{Cs}\ufffe\uffff]/gu;
const escape = /_(?=x[0-9a-fA-F]{4}_)/g;
const special = new RegExp(`[&<>\\r]|${escape.source}|${unwritable.source}`, "u");

function xmlText(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replaceAll(unwritable, "")
    .replaceAll(escape, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

const dayMs = 86_400_000;
/** Day 0 of the serial numbers in which spreadsheets count time. */
const epochMs = Date.UTC(1899, 11, 30);

function serialOf(timestamp: string): number | undefined {
  const serial = (Date.parse(timestamp) - epochMs) / dayMs;
  return serial > 0 ? serial : undefined; // undefined too for what is no time at all
}

const known: string[] = [];

function letters(index: number): string {
  return (known[index] ??=
    (index < 26 ? "" : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26)));
}
