import { createHash } from "node:crypto";

/** A statement with its bound parameters. Only the `sql` tag makes one. */
export type Sql = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Names the prepared statement, so that a connection parses each text once. */
  readonly name: string;
};

class SqlText implements Sql {
  readonly #written: Written;
  readonly values: readonly unknown[];

  constructor(written: Written, values: readonly unknown[]) {
    this.#written = written;
    this.values = values;
  }

  get text(): string {
    return this.#written.text;
  }

  get name(): string {
    this.#written.name ??= createHash("sha256").update(this.text).digest("hex").slice(0, 32);
    return this.#written.name;
  }
}

/** The text of a statement, written once for each place in the source and each set of fragments in it. */
type Written = { text: string; name: string | undefined; fragments: readonly string[] };

const writtenByPlace = new WeakMap<TemplateStringsArray, Written[]>();
/** So many sets of fragments are remembered for one place; more than a few would be a statement made at will. */
const variantsMax = 8;

/** Writes SQL as SQL: every `${}` becomes a bound parameter, or is another `sql` fragment. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  const fragments: string[] = [];
  for (const part of parts) {
    if (part instanceof SqlText) {
      fragments.push(part.text);
      values.push(...part.values);
    } else {
      values.push(part);
    }
  }
  const known = writtenByPlace.get(strings) ?? [];
  const before = known.find((each) => isSame(each.fragments, fragments));
  if (before) return new SqlText(before, values);

  const written = { text: write(strings, parts), name: undefined, fragments };
  writtenByPlace.set(strings, [written, ...known.slice(0, variantsMax - 1)]);
  return new SqlText(written, values);
}

/**
 * Texts of JSON as a `text[]`. They travel as the lines of one parameter, since JSON as we write it
 * has no line breaks: the elements of an array would each be quoted here and unquoted there, which
 * costs more than storing them does.
 */
export function asLines(texts: readonly string[]): Sql {
  return sql`string_to_array(${texts.join("\n")}, chr(10))`;
}

function write(strings: TemplateStringsArray, parts: readonly unknown[]): string {
  let count = 0;
  return strings.reduce((text, string, index) => {
    const part = parts[index - 1];
    if (!(part instanceof SqlText)) return `${text}$${(count += 1)}${string}`;
    const offset = count;
    count += part.values.length;
    const renumbered = part.text.replaceAll(/\$(\d+)/g, (_, position: string) => `$${Number(position) + offset}`);
    return text + renumbered + string;
  });
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
