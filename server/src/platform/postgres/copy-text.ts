export type CopyValue = string | number | boolean | null | readonly string[];

const chunkLength = 65_536;
const encoder = new TextEncoder();

/** One row in the text format of COPY. */
export function copyLine(row: readonly CopyValue[]): string {
  let line = "";
  for (let index = 0; index < row.length; index += 1) {
    if (index > 0) line += "\t";
    line += copyField(row[index] ?? null);
  }
  return `${line}\n`;
}

/** Rows as chunks of COPY text. */
export async function* copyText(rows: AsyncIterable<readonly CopyValue[]>): AsyncGenerator<Uint8Array> {
  let chunk = "";
  for await (const row of rows) {
    chunk += copyLine(row);
    if (chunk.length < chunkLength) continue;
    yield encoder.encode(chunk);
    chunk = "";
  }
  if (chunk !== "") yield encoder.encode(chunk);
}

function copyField(value: CopyValue): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escape(value);
  return typeof value === "object" ? copyArray(value) : String(value);
}

function copyArray(elements: readonly string[]): string {
  let text = "";
  for (const element of elements) text += `${text === "" ? "" : ","}${arrayElement(element)}`;
  return `{${escape(text)}}`;
}

function arrayElement(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, "\\$&") : text}"`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" };

function escape(text: string): string {
  return /[\\\t\n\r\0]/.test(text) ? text.replaceAll(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "") : text;
}
