import { storableText } from "../../../platform/text.ts";

/** A row of an Overture file, or a group in it; each release may leave columns out or add others. */
export type Row = Readonly<Record<string, unknown>>;

export function rowOf(value: unknown): Row {
  return typeof value === "object" && value !== null ? (value as Row) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((item) => textOf(item) ?? []);
}

const decoder = new TextDecoder();

export function textOf(value: unknown): string | undefined {
  const text = value instanceof Uint8Array ? decoder.decode(value) : value;
  return typeof text === "string" && text.trim() !== "" ? storableText(text.trim()) : undefined;
}
