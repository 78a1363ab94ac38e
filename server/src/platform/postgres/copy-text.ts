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

/** Lines as bytes, in memory that is used again. */
export class CopyBuffer {
  #bytes = new Uint8Array(bufferBytes);
  #length = 0;

  /**
   * Encodes line by line: text in which one letter is not Latin takes twice the memory, and more time. Returns where
   * the line ends.
   */
  add(line: string): number {
    for (;;) {
      const { read, written } = encoder.encodeInto(line, this.#bytes.subarray(this.#length));
      if (read === line.length) {
        this.#length += written;
        return this.#length;
      }
      this.#grow();
    }
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > bufferBytesKept) this.#bytes = new Uint8Array(bufferBytes);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

const bufferBytes = 256 * 1024;
const bufferBytesKept = 4 * 1024 * 1024;

function copyField(value: CopyValue): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return copyString(value);
  return typeof value === "object" ? copyArray(value) : String(value);
}

export function copyString(text: string): string {
  return special.test(text) ? escape(text) : text;
}

/** What JSON.stringify made holds no control characters. */
export function copyJson(json: string): string {
  return json.includes("\\") ? json.replaceAll("\\", "\\\\") : json;
}

export function copyArray(elements: readonly string[]): string {
  let text = "";
  for (const element of elements) text += text === "" ? copyElement(element) : `,${copyElement(element)}`;
  return `{${text}}`;
}

function copyElement(text: string): string {
  return specialInArrays.test(text) ? `"${escape(text.replaceAll(/["\\]/g, "\\$&"))}"` : `"${text}"`;
}

const special = /[\\\t\n\r\0]/;
const specialInArrays = /["\\\t\n\r\0]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" };

function escape(text: string): string {
  return text.replaceAll(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "");
}
