import { createHash } from "node:crypto";

/** A statement with its bound parameters. Only the `sql` tag makes one. */
export type Sql = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Names the prepared statement, so that a connection parses each text once. */
  readonly name: string;
};

class SqlText implements Sql {
  readonly text: string;
  readonly values: readonly unknown[];

  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }

  get name(): string {
    let name = names.get(this.text);
    if (name === undefined) {
      name = createHash("sha256").update(this.text).digest("hex").slice(0, 32);
      names.set(this.text, name);
    }
    return name;
  }
}

// Bounded by the number of statements written in the source: values never reach the text.
const names = new Map<string, string>();

/** Writes SQL as SQL: every `${}` becomes a bound parameter, or is another `sql` fragment. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  let text = "";
  strings.forEach((string, index) => {
    text += string;
    if (index >= parts.length) return;

    const part = parts[index];
    if (part instanceof SqlText) {
      const offset = values.length;
      text += part.text.replaceAll(/\$(\d+)/g, (_, position: string) => `$${Number(position) + offset}`);
      values.push(...part.values);
      return;
    }
    values.push(part);
    text += `$${values.length}`;
  });
  return new SqlText(text, values);
}
