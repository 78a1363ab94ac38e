import type pg from "pg";
import type { Sql } from "./sql.ts";
import type { StallWatch } from "./stall-watch.ts";
import { watched } from "./watched-client.ts";

export type Answer<Row> = { rows: Row[]; rowCount: number };

type Received = Pick<pg.QueryResult, "rows" | "rowCount">;
type Callback = (error: Error | null, result: Received) => void;

/** Runs a statement on a connection that the caller has; `readMs` is how long the driver waits for its answer. */
export function ask<Row>(
  watch: StallWatch,
  client: pg.PoolClient,
  statement: Sql,
  readMs?: number,
): Promise<Answer<Row>> {
  return watch.run<Answer<Row>>((done, waiter) => {
    waiter.sent = watched(client).sent();
    send(client, statement, (error, result) => done(error, error ? undefined : answerOf<Row>(result)), readMs);
  });
}

/** Runs a command without parameters, such as `commit`. */
export function command(watch: StallWatch, client: pg.PoolClient, text: string): Promise<void> {
  return watch.run<void>((done, waiter) => {
    waiter.sent = watched(client).sent();
    client.query(text, (error: Error | null) => done(error));
  });
}

export function send(client: pg.PoolClient, { name, text, values }: Sql, done: Callback, readMs?: number): void {
  // The client reads this deadline too, though its types do not name it.
  const deadline = readMs === undefined ? {} : { query_timeout: readMs };
  client.query({ name, text, values: [...values], ...deadline }, done);
}

/** The caller names the columns in the statement it wrote; the row's type is that promise. */
export function answerOf<Row>({ rows, rowCount }: Received): Answer<Row> {
  return { rows: rows as Row[], rowCount: rowCount ?? 0 };
}
