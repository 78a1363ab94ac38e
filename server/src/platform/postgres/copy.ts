import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { clientConfig, type Connection } from "./database.ts";
import type { Sql } from "./sql.ts";

/** The deadline of a statement that runs at the pace of its reader. */
const statementTimeoutMs = 3_600_000;

/**
 * Streams the only column of a query, which must hold one JSON text to a row, as lines. On a
 * connection of its own, because COPY keeps one busy until its end.
 */
export async function* copyLines(connection: Connection, query: Sql): AsyncGenerator<Buffer> {
  const client = new pg.Client({
    ...clientConfig(connection),
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
  });
  let lost: Error | undefined;
  client.on("error", (error) => (lost = error));
  await client.connect();
  try {
    // Neither character occurs raw in JSON, so no value is ever quoted and a row stays as it is.
    const statement = `copy (${inlined(query)}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`;
    const stream = client.query(copyTo(statement, { highWaterMark: 1 << 20 }));
    client.on("end", () => stream.destroy(lost ?? new Error("Connection terminated unexpectedly")));
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    client.removeAllListeners("end");
    await client.end().catch(() => undefined);
  }
}

/** The statement with its values written into it: COPY takes no parameters. */
export function inlined({ text, values }: Sql): string {
  return text.replaceAll(/\$(\d+)/g, (_, position: string) => literal(values[Number(position) - 1]));
}

const plainText = /^[\w-]*$/;

function literal(value: unknown): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "string") return pg.escapeLiteral(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && plainText.test(item))) {
    return pg.escapeLiteral(`{${value.join(",")}}`);
  }
  throw new Error("only texts, whole numbers and lists of plain words can be written into a statement");
}
