import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Part } from "../archive/index.ts";
import { clientConfig, type Connection } from "./database.ts";

type Table = { name: string; columns: string[]; references: string[] };

/** A connection for work that takes as long as the data is large. */
export async function connectPatiently(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...clientConfig(connection),
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  client.on("error", () => undefined); // the statement that is running rejects with it
  await client.connect();
  return client;
}

const tablePrefix = "table/";
const sequencesPart = "sequences";

/**
 * Every table, those that others refer to first, then the sequences. Within the caller's transaction,
 * whose isolation decides whether all are of one moment.
 */
export async function* copyTablesOut(client: pg.Client): AsyncGenerator<Part> {
  for (const { name, columns } of inOrder(await listTables(client))) {
    const statement = `copy (select ${listOf(columns)} from ${pg.escapeIdentifier(name)}) to stdout`;
    yield { name: `${tablePrefix}${name}`, columns, chunks: client.query(copyTo(statement)) };
  }
  // Sequences take no part in snapshots; read last, they are past every number that was copied.
  const sequences = JSON.stringify(await listSequences(client));
  yield { name: sequencesPart, chunks: Readable.from([Buffer.from(sequences)]) };
}

/** Empties every table within the caller's transaction: a migration may have put rows into some. */
export async function emptyTables(client: pg.Client): Promise<void> {
  const names = (await listTables(client)).map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`truncate ${names.join(", ")}`);
}

/** Puts a part of copyTablesOut back within the caller's transaction; false when it is none. */
export async function copyPartIn(client: pg.Client, { name, columns, chunks }: Part): Promise<boolean> {
  if (name.startsWith(tablePrefix)) {
    const table = pg.escapeIdentifier(name.slice(tablePrefix.length));
    await pipeline(chunks, client.query(copyFrom(`copy ${table} (${listOf(columns ?? [])}) from stdin`)));
    return true;
  }
  if (name !== sequencesPart) return false;
  const sequences = JSON.parse(await textOf(chunks)) as Sequence[]; // written by copyTablesOut
  for (const { name: sequence, last } of sequences) {
    await client.query("select setval(format('%I', $1::text)::regclass, $2, true)", [sequence, last]);
  }
  return true;
}

export async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const held: Buffer[] = [];
  for await (const chunk of chunks) held.push(chunk);
  return Buffer.concat(held).toString("utf8");
}

/** Our own tables, without those that a crash empties. Migrations are recorded by those who run them. */
async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select
      class.relname as name,
      (
        select array_agg(attribute.attname::text order by attribute.attnum)
        from pg_attribute attribute
        where attribute.attrelid = class.oid
          and attribute.attnum > 0
          and not attribute.attisdropped
          and attribute.attgenerated = ''
      ) as columns,
      array(
        select referred.relname::text
        from pg_constraint reference
        join pg_class referred on referred.oid = reference.confrelid
        where reference.conrelid = class.oid
          and reference.contype = 'f'
          and reference.confrelid <> class.oid
      ) as references
    from pg_class class
    where class.relnamespace = current_schema()::regnamespace
      and class.relkind in ('r', 'p')
      and not class.relispartition
      and class.relpersistence = 'p'
      and class.relname <> 'schema_migrations'
    order by class.relname
  `);
  return rows;
}

type Sequence = { name: string; last: string };

async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select sequencename as name, last_value::text as last
    from pg_sequences
    where schemaname = current_schema()
      and last_value is not null
  `);
  return rows;
}

/** Tables after all those they refer to. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ references }) => !references.some((name) => waiting.has(name)));
    if (free.length === 0)
      throw new Error(`tables refer to one another in a circle: ${[...waiting.keys()].join(", ")}`);
    for (const table of free) waiting.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

function listOf(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(", ");
}
