import { onlySource } from "../../server/src/sources/selection.ts";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBilling, createTestQuota } from "../../server/src/domains/billing/index.ts";
import { createScrapes } from "../../server/src/domains/scrapes/index.ts";
import { createWebhooks } from "../../server/src/domains/webhooks/index.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { createCursors } from "../../server/src/platform/pages.ts";
import { newUuid } from "../../server/src/platform/ids.ts";
import type { Connection, Database, Queryable } from "../../server/src/platform/postgres/database.ts";
import type { Sql } from "../../server/src/platform/postgres/sql.ts";
import { createFixtures } from "../../server/src/sources/fixtures/index.ts";

/** The statements of one creation, as the service itself sends them between begin and commit. */
export async function creationStatements(db: Database, organizationId: string): Promise<Sql[]> {
  const statements: Sql[] = [];
  const recording = (within: Queryable): Queryable => ({
    query(statement) {
      statements.push(statement);
      return within.query(statement);
    },
  });
  const recordingDb: Database = {
    ...db,
    transaction: (work) => db.transaction((tx) => work({ inTransaction: true, ...recording(tx) })),
  };
  const scrapes = createScrapes({
    db: recordingDb,
    clock: systemClock,
    billing: createBilling({ db, clock: systemClock }),
    testQuota: createTestQuota({ clock: systemClock }),
    webhooks: createWebhooks({ clock: systemClock }),
    fixtures: createFixtures(),
    sources: onlySource({ name: "none", search: async () => ({ listings: [], verdict: "empty" }) }),
    signals: { queued: () => undefined, finished: () => undefined },
    watch: { ended: async () => true, stop: () => undefined },
    exportRemoval: { removeOf: async () => [], removeFiles: async () => undefined },
    cursors: createCursors("not used here"),
  });
  const principal = {
    organizationId,
    keyId: "",
    environment: "live",
    scopes: new Set<never>(),
    entitled: true,
  } as const;
  await scrapes.create(
    principal,
    { operation: "places.search", input: { q: "coffee in Vaduz" } },
    {
      idempotencyKey: newUuid(),
      requestId: "req_bench",
      traceparent: null,
      waitSeconds: undefined,
      signal: new AbortController().signal,
    },
  );
  return statements;
}

/** Runs the same statements with pgbench; resolves to transactions per second, or to undefined without it. */
export async function pgbench(
  connection: Connection,
  { statements, organizationId }: { statements: readonly Sql[]; organizationId: string },
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number | undefined> {
  if ("url" in connection) throw new Error("the benchmark runs on a PostgreSQL of its own");
  const folder = await mkdtemp(join(tmpdir(), "waypost-pgbench-"));
  const script = join(folder, "creation.sql");
  await writeFile(
    script,
    ["begin", ...statements.map((each) => asText(each, organizationId)), "commit"].map((each) => `${each};\n`).join(""),
  );
  try {
    const { socketFolder, user, password, database } = connection;
    const words = ["-n", "-M", "prepared", "-f", script, "-c", String(connections), "-j", "1", "-T", String(seconds)];
    const output = await outputOf("pgbench", [...words, "-h", socketFolder, "-U", user, database], {
      PGPASSWORD: password,
    });
    return output === undefined ? undefined : Number(/tps = ([\d.]+) /.exec(output)?.[1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The statement with its values in it; ids and keys are made anew each time it runs. */
function asText({ text, values }: Sql, organizationId: string): string {
  const one = text.replaceAll(/\$(\d+)/g, (_, position: string) =>
    literal(values[Number(position) - 1], organizationId),
  );
  return one.replaceAll(/\s+/g, " ").trim();
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

function literal(value: unknown, organizationId: string): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return String(value);
  if (Buffer.isBuffer(value)) return `'\\x${value.toString("hex")}'::bytea`;
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return `array[${value.map((each) => literal(each, organizationId)).join(", ")}]`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text !== organizationId && uuidShape.test(text)) return "gen_random_uuid()";
  if (text.startsWith("job_")) return "('job_' || gen_random_uuid())";
  // A colon before a word would be a variable to pgbench.
  return `'${text.replaceAll("'", "''").replaceAll('":', '": ')}'`;
}

async function outputOf(command: string, words: string[], environment: Record<string, string>) {
  const child = spawn(command, words, {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const missing = new Promise<undefined>((resolve) => child.once("error", () => resolve(undefined)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const output = (async () => {
    let text = "";
    for await (const chunk of child.stdout) text += String(chunk);
    const code = await ended;
    if (code !== 0) throw new Error(`${command} ended with ${code}`);
    return text;
  })();
  return Promise.race([missing, output]);
}
