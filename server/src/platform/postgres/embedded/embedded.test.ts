import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../../../test/database-door.ts";
import { defer } from "../../../../test/defer.ts";
import { makePreparedFolder } from "../../../../test/prepared-cluster.ts";
import { makeTempFolder, removeFolder } from "../../../../test/temp-folder.ts";
import { type Log, silentLog } from "../../log.ts";
import { isAlive } from "../../process-alive.ts";
import pg from "pg";
import { clientConfig, type Connection, createDatabase, probe } from "../database.ts";
import { sql } from "../sql.ts";
import { joinEmbedded, startEmbedded } from "./index.ts";

async function newFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  return folder;
}

/** A folder in which initdb ran already. */
async function newPreparedFolder(t: TestContext): Promise<string> {
  const folder = await makePreparedFolder();
  defer(t, () => removeFolder(folder));
  return folder;
}

/** Another process that starts the folder's PostgreSQL as a service would, and stays. */
async function startOther(t: TestContext, folder: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [new URL("../../../../test/embedded-holder.ts", import.meta.url).pathname, folder],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  defer(t, () => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

const postmasterOf = async (folder: string) =>
  Number.parseInt(await readFile(join(folder, "postgres/cluster/postmaster.pid"), "utf8"), 10);

test("the server listens on a socket that only its owner can reach, and on no port", async (t) => {
  const folder = await newFolder(t);
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 1, log: silentLog });
  defer(t, () => db.end());

  const { rows } = await db.query<{ addresses: string; fsync: string; ssl: string }>(
    sql`select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync`,
  );

  assert.deepEqual(rows, [{ addresses: "", fsync: "on" }]);
  assert.equal((await stat(join(folder, "postgres"))).mode & 0o777, 0o700);
  assert.equal((await stat(join(folder, "postgres-password"))).mode & 0o777, 0o600);
  const wrongPassword = { ...postgres.connection, password: "wrong" };
  assert.match((await probe(wrongPassword))?.message ?? "", /password authentication failed/);
});

test("the server's log is cut while it runs, before it is larger than 10 MiB for long", async (t) => {
  const folder = await newPreparedFolder(t);
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());
  const path = join(folder, "postgres.log");

  await appendFile(path, Buffer.alloc(11 * 1024 * 1024, "x"));

  const deadline = Date.now() + 30_000;
  while ((await stat(path)).size > 10 * 1024 * 1024) {
    assert.ok(Date.now() < deadline, "the log was not cut within 30 seconds");
    await sleep(50);
  }
});

test("a process that cannot look after its server for a moment leaves it alone", async (t) => {
  const folder = await newFolder(t);
  const warned = Promise.withResolvers<void>();
  const log = {
    ...silentLog,
    warn: (_: unknown, message: string) => message === "postgres.not_watched" && warned.resolve(),
  };
  const postgres = await startEmbedded({ dataFolder: folder, log });
  defer(t, () => postgres.stop());
  const [alive, away] = [join(folder, "postgres/alive"), join(folder, "postgres/away")];
  const pid = await postmasterOf(folder);

  // A link to itself cannot be opened, as nothing can without file descriptors.
  await rename(alive, away);
  await symlink(alive, alive);
  await warned.promise;
  await rename(away, alive);

  assert.equal(await probe(postgres.connection), undefined);
  assert.equal(await postmasterOf(folder), pid);
});

test("a second service on the folder is refused with a sentence that says who has it", async (t) => {
  const folder = await newPreparedFolder(t);
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());

  await assert.rejects(startEmbedded({ dataFolder: folder, log: silentLog }), {
    message: new RegExp(`in use by another Waypost service, process ${process.pid} on .+\\. Stop that one first`),
  });
});

test("a start beside a server that an older version runs says so while it waits", { timeout: 60_000 }, async (t) => {
  const folder = await newPreparedFolder(t);
  const other = await startOther(t, folder);
  const pid = await postmasterOf(folder);
  other.kill("SIGKILL");
  await once(other, "exit");
  defer(t, async () => {
    process.kill(pid, "SIGINT");
    await until(() => !isAlive(pid));
  });
  await rm(join(folder, "postgres/alive")); // which versions before 0.1.0 did not have
  const starting = new AbortController();
  const said: object[] = [];
  const log: Log = {
    ...silentLog,
    warn(fields) {
      said.push(fields);
      starting.abort();
    },
  };

  await assert.rejects(startEmbedded({ dataFolder: folder, log, signal: starting.signal }));

  assert.match(JSON.stringify(said), new RegExp(`Process ${pid} runs on .*did not start it\\. Stop it first`));
});

test("a start waits for a command that has the folder, and says so", { timeout: 60_000 }, async (t) => {
  const folder = await newPreparedFolder(t);
  const command = await joinEmbedded({ dataFolder: folder, log: silentLog });
  const said = Promise.withResolvers<object>();

  const starting = startEmbedded({ dataFolder: folder, log: { ...silentLog, warn: (fields) => said.resolve(fields) } });
  const reason = JSON.stringify(await said.promise);
  await command.stop();
  const postgres = await starting;
  defer(t, () => postgres.stop());

  assert.match(reason, new RegExp(`in use by another Waypost command, process ${process.pid} on `));
});

test("what a killed service left running is adopted, with its data", async (t) => {
  const folder = await newPreparedFolder(t);
  const other = await startOther(t, folder);
  const pid = await postmasterOf(folder);
  other.kill("SIGKILL");
  await once(other, "exit");

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());

  assert.equal(postgres.adopted, true);
  assert.equal(await postmasterOf(folder), pid);
});

test("a server that is killed comes back by itself, and the pool with it", async (t) => {
  const folder = await newPreparedFolder(t);
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 2, log: silentLog });
  defer(t, () => db.end());
  await db.query(sql`create table kept (id int)`);
  await db.query(sql`insert into kept values (1)`);

  process.kill(await postmasterOf(folder), "SIGKILL");
  let rows: unknown[] = [];
  for (let attempt = 0; attempt < 200 && rows.length === 0; attempt += 1) {
    ({ rows } = await db.query(sql`select id from kept`).catch(() => ({ rows: [] })));
    if (rows.length === 0) await sleep(50);
  }

  assert.deepEqual(rows, [{ id: 1 }]);
});

test("a stop does not wait for a server that cannot come back, nor does the end of a start", async (t) => {
  const folder = await newPreparedFolder(t);
  const events: string[] = [];
  const note = (_fields: object, event: string) => void events.push(event);
  const log = { ...silentLog, warn: note, error: note };
  const postgres = await startEmbedded({ dataFolder: folder, log });
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 1, log: silentLog });
  db.query(sql`select pg_sleep(600)`).catch(() => undefined);
  const session = await sessionThatSleeps(postgres.connection);
  // A session that does not run cannot notice that its postmaster is gone, and nothing starts beside it.
  process.kill(session, "SIGSTOP");
  defer(t, () => process.kill(session, "SIGKILL"));
  process.kill(await postmasterOf(folder), "SIGKILL");
  while (!events.includes("postgres.died")) await sleep(20);

  await within(10_000, postgres.stop());
  assert.equal(events.at(-1), "postgres.left_running");

  const starting = new AbortController();
  const start = startEmbedded({ dataFolder: folder, log: silentLog, signal: starting.signal });
  const refused = assert.rejects(start, { name: "AbortError" });
  await sleep(300); // it has found the session by then; the outcome is the same when it has not
  starting.abort();
  await within(10_000, refused);
  await db.end();
});

test("a server that cannot come back is logged at growing intervals, and comes back once it can", async (t) => {
  const folder = await newPreparedFolder(t);
  const events: string[] = [];
  const note = (_fields: object, event: string) => void events.push(event);
  const postgres = await startEmbedded({ dataFolder: folder, log: { ...silentLog, warn: note, error: note } });
  defer(t, () => postgres.stop());
  const control = join(folder, "postgres/cluster/global/pg_control");
  await rename(control, `${control}.away`);

  process.kill(await postmasterOf(folder), "SIGKILL");
  const attempts = 8;
  await until(async () => (await failedStarts(folder)) >= attempts);
  const failures = [...events];
  await rename(`${control}.away`, control);
  await until(() => events.includes("postgres.restarted"));

  assert.equal(failures.filter((event) => event === "postgres.died").length, 1);
  const told = failures.filter((event) => event === "postgres.restart_failed").length;
  assert.ok(told > 0 && told < attempts - 1, `${told} of ${attempts}`);
  assert.equal(events.at(-1), "postgres.restarted");
});

async function failedStarts(folder: string): Promise<number> {
  const text = await readFile(join(folder, "postgres.log"), "utf8");
  return text.split("could not find the database system").length - 1;
}

async function sessionThatSleeps(connection: Connection): Promise<number> {
  const client = new pg.Client(clientConfig(connection));
  client.on("error", () => undefined);
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where query = 'select pg_sleep(600)' and wait_event = 'PgSleep'",
    );
    const [row] = rows;
    if (!row) continue;
    await client.end();
    return row.pid;
  }
}

/** A start tries for 30 seconds to bring a server up. */
async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  const late = sleep(deadlineMs, "late", { ref: false });
  assert.notEqual(await Promise.race([work, late]), "late", `it took more than ${deadlineMs} ms`);
}

test("a socket's lock that names a living process of the same user does not stop the start", async (t) => {
  const [folder, other] = [await newPreparedFolder(t), await newPreparedFolder(t)];
  await (await startEmbedded({ dataFolder: folder, log: silentLog })).stop();
  const stranger = await startEmbedded({ dataFolder: other, log: silentLog });
  defer(t, () => stranger.stop());
  const run = join(folder, "postgres/run");
  const lock = `${await postmasterOf(other)}\n${folder}\n1700000000\n5432\n${run}\n`;
  await writeFile(join(run, ".s.PGSQL.5432.lock"), lock);

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());

  assert.equal(postgres.adopted, false);
});

test("a process id that now belongs to somebody else does not stop the start", async (t) => {
  const folder = await newPreparedFolder(t);
  await (await startEmbedded({ dataFolder: folder, log: silentLog })).stop();
  const cluster = join(folder, "postgres/cluster");
  await writeFile(join(cluster, "postmaster.pid"), `${process.pid}\n${cluster}\n1700000000\n5432\n\n\n  0 0\nready\n`);

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());

  assert.equal(postgres.adopted, false);
});

test("an initdb that was killed half-way is begun anew", async (t) => {
  const folder = await newFolder(t);
  await (await startEmbedded({ dataFolder: folder, log: silentLog })).stop();
  await rename(join(folder, "postgres/cluster"), join(folder, "postgres/draft-1"));

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());

  assert.deepEqual((await readdir(join(folder, "postgres"))).sort(), [
    "alive",
    "cluster",
    "holder",
    "identity",
    "launched-in",
    "lock",
    "run",
  ]);
});

test("an initdb that outlives its killed service does not stop the next start", async (t) => {
  const folder = await newFolder(t);
  const draft = join(folder, "postgres/draft-1");
  await mkdir(draft, { recursive: true });
  const batch = `j=0; while [ $j -lt 200 ]; do j=$((j+1)); : > ${draft}/$i-$j; done`;
  const writing = `end=$(($(date +%s)+2)); i=0; while [ $(date +%s) -lt $end ]; do i=$((i+1)); ${batch}; echo; done`;
  const initdb = spawn("sh", ["-c", writing]);
  defer(t, () => initdb.kill());
  await once(initdb.stdout, "data");

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });

  await postgres.stop();
});

test("a command uses the server of the running service, or one of its own that stops with it", async (t) => {
  const folder = await newPreparedFolder(t);
  const service = await startEmbedded({ dataFolder: folder, log: silentLog });

  const during = await joinEmbedded({ dataFolder: folder, log: silentLog });
  assert.equal(await probe(during.connection), undefined);
  await during.stop();
  assert.equal(await probe(service.connection), undefined);
  await service.stop();
  const alone = await joinEmbedded({ dataFolder: folder, log: silentLog });
  assert.equal(await probe(alone.connection), undefined);
  await alone.stop();

  assert.match((await probe(alone.connection))?.message ?? "", /ENOENT|ECONNREFUSED/);
});

test("several commands at once on a stopped folder all get their turn", async (t) => {
  const folder = await newPreparedFolder(t);
  await (await startEmbedded({ dataFolder: folder, log: silentLog })).stop();

  const outcomes = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const problems = [];
      for (let round = 0; round < 3; round += 1) {
        const command = await joinEmbedded({ dataFolder: folder, log: silentLog });
        problems.push(await probe(command.connection));
        await command.stop();
      }
      return problems;
    }),
  );

  assert.deepEqual(outcomes.flat(), Array(12).fill(undefined));
});

test("a folder whose path is too long for a socket still works", async (t) => {
  const folder = join(await newFolder(t), "x".repeat(60), "y".repeat(60));
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());

  assert.equal(await probe(postgres.connection), undefined);
});

test("a cluster of another major version is refused with a way out", async (t) => {
  const folder = await newPreparedFolder(t);
  await (await startEmbedded({ dataFolder: folder, log: silentLog })).stop();
  const version = join(folder, "postgres/cluster/PG_VERSION");
  await writeFile(version, "15\n");

  await assert.rejects(
    startEmbedded({ dataFolder: folder, log: silentLog }),
    /made by PostgreSQL 15 .* set DATABASE_URL/,
  );
});

test("a command is told at once that the disk is full, and not to stop the service", { timeout: 20_000 }, async (t) => {
  const folder = await newPreparedFolder(t);
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  defer(t, () => postgres.stop());
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 1, log: silentLog });
  defer(t, () => db.end());
  // What a session says that cannot write the little it writes when it begins.
  await db.query(sql`
    create function refuse() returns event_trigger language plpgsql as $$
    begin
      raise exception 'could not write init file: No space left on device' using errcode = '53100';
    end
    $$
  `);
  await db.query(sql`create event trigger refuse on login execute function refuse()`);

  const joining = joinEmbedded({ dataFolder: folder, log: silentLog });

  await assert.rejects(joining, /is full, and its PostgreSQL takes no new connections \(could not write init file/);
});

test("a cluster whose password was lost is refused at once with a way out, and left stopped", async (t) => {
  const folder = await newPreparedFolder(t);
  await (await startEmbedded({ dataFolder: folder, log: silentLog })).stop();
  await rm(join(folder, "postgres-password"));

  const starting = startEmbedded({ dataFolder: folder, log: silentLog });

  await assert.rejects(starting, /does not take the password in the file postgres-password .* `npx waypost restore`/);
  await assert.rejects(postmasterOf(folder), { code: "ENOENT" });
});
