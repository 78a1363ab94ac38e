import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { clientConfig, type Connection } from "./database.ts";
import { inlined } from "./inlined.ts";
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
