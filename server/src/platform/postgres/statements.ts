import type { Socket } from "node:net";
import pg from "pg";
import { createBinaryQuery } from "./binary-rows.ts";
import { sessionOf } from "./server-probe.ts";
import type { Sql } from "./sql.ts";
import type { Sent, StallWatch } from "./stall-watch.ts";

export type Answer<Row> = { rows: Row[]; rowCount: number };

type Received = Pick<pg.QueryResult, "rows" | "rowCount">;
type Callback = (error: Error | null, result: Received) => void;

/** A connection of the driver, as far as its types do not name it. */
type WireConnection = {
  stream: Pick<Socket, "cork" | "uncork" | "bytesRead" | "writableLength">;
  parsedStatements: Record<string, string | undefined>;
  parse(statement: { text: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
};

/** Runs a statement on a connection that the caller has; `readMs` is how long the driver waits for its answer. */
export function ask<Row>(
  watch: StallWatch,
  client: pg.PoolClient,
  statement: Sql,
  readMs?: number,
): Promise<Answer<Row>> {
  return watch.run<Answer<Row>>((done, waiter) => {
    waiter.sent = sentOn(client);
    send(client, statement, (error, result) => done(error, error ? undefined : answerOf<Row>(result)), readMs);
  });
}

/** Runs a command without parameters, such as `commit`. */
export function command(watch: StallWatch, client: pg.PoolClient, text: string): Promise<void> {
  return watch.run<void>((done, waiter) => {
    waiter.sent = sentOn(client);
    client.query(text, (error: Error | null) => done(error));
  });
}

/** What tells the watch how the connection fares on which a statement is sent. */
export function sentOn(client: pg.PoolClient): Sent {
  const { stream } = wireOf(client);
  return { session: sessionOf(client), moved: () => stream.bytesRead - stream.writableLength };
}

export function send(
  client: pg.PoolClient,
  { name, text, values, columns }: Sql,
  done: Callback,
  readMs?: number,
): void {
  // The client reads this deadline too, though its types do not name it.
  const deadline = readMs === undefined ? {} : { query_timeout: readMs };
  if (columns) client.query({ ...createBinaryQuery(text, columns, done), ...deadline });
  else client.query({ name, text, values: [...values], ...deadline }, done);
}

/** Whether a transaction can begin together with this statement: the server has parsed it on this connection. */
export function canBegin(client: pg.PoolClient, { name, text, columns }: Sql): boolean {
  return columns === undefined && wireOf(client).parsedStatements[name] === text;
}

function wireOf(client: pg.PoolClient): WireConnection {
  return (client as unknown as { connection: WireConnection }).connection;
}

/**
 * Begins a transaction and runs its first statement in one message: `begin` on its own took a tenth of the processor
 * time of a transaction of two statements. The driver takes the first answer to a parse for that of the statement, and
 * `begin` is parsed before it: that is right only where the statement has been parsed already.
 */
export function askFirst<Row>(
  watch: StallWatch,
  client: pg.PoolClient,
  { name, text, values }: Sql,
): Promise<Answer<Row>> {
  return watch.run<Answer<Row>>((done, waiter) => {
    waiter.sent = sentOn(client);
    const query = new pg.Query({ name, text, values: [...values] }, (error: unknown, results: unknown) => {
      if (error) return done(error as Error);
      const [, result] = results as [Received, Received]; // one of `begin`, one of the statement
      done(null, answerOf<Row>(result));
    });
    const submit = query.submit.bind(query);
    query.submit = (connection) => {
      const wire = connection as unknown as WireConnection;
      wire.stream.cork();
      wire.parse({ text: "begin" });
      wire.bind({});
      wire.execute({});
      const refusal = submit(connection);
      wire.stream.uncork();
      return refusal;
    };
    client.query(query);
  });
}

/** The caller names the columns in the statement it wrote; the row's type is that promise. */
export function answerOf<Row>({ rows, rowCount }: Received): Answer<Row> {
  return { rows: rows as Row[], rowCount: rowCount ?? 0 };
}
