import pg from "pg";
import type { Sql } from "./sql.ts";

/** The statement with its values written into it: COPY takes no parameters. */
export function inlined({ text, values }: Sql): string {
  return text.replaceAll(/\$(\d+)/g, (_, position: string) => literal(values[Number(position) - 1]));
}

const plainText = /^[\w-]*$/;

function literal(value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value === "string") return pg.escapeLiteral(value);
  if (Array.isArray(value) && value.every(isPlain)) return pg.escapeLiteral(`{${value.join(",")}}`);
  throw new Error("only texts, whole numbers and lists of those or of plain words can be written into a statement");
}

function isPlain(item: unknown): boolean {
  return typeof item === "string" ? plainText.test(item) : Number.isSafeInteger(item);
}
