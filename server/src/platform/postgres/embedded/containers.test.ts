import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, lstat, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defer } from "../../../../test/defer.ts";
import { makePreparedFolder } from "../../../../test/prepared-cluster.ts";
import { makeTempFolder, removeFolder } from "../../../../test/temp-folder.ts";
import { silentLog } from "../../log.ts";
import { type Connection, createDatabase, probe } from "../database.ts";
import { sql } from "../sql.ts";
import { type EmbeddedPostgres, startEmbedded } from "./index.ts";

const holderProgram = new URL("../../../../test/embedded-holder.ts", import.meta.url).pathname;

/** The namespaces that a container has of its own, and all its processes die with the first. */
const container = ["--pid", "--net", "--ipc", "--mount", "--fork", "--mount-proc", "--kill-child"];

/** Undefined when this machine lets us make such namespaces. */
const noContainers = (() => {
  try {
    execFileSync("unshare", [...container, "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "this user may not make pid and network namespaces here (unshare)";
  }
})();

type Holding = { child: ChildProcess; outcome: string };

/** A service's PostgreSQL in a container of its own; resolves to `ready`, or to why it was refused. */
async function startInContainer(t: TestContext, folder: string): Promise<Holding> {
  const program = [process.execPath, holderProgram, folder];
  // The shell is process 1, so that the container outlives a service that is killed in it.
  const child = spawn("unshare", [...container, "sh", "-c", `"$@" & wait; sleep 600`, "sh", ...program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  defer(t, () => end(child));
  return { child, outcome: await firstWords(child) };
}

function firstWords({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let complaint = "";
    stdout?.once("data", () => resolve("ready"));
    stderr?.on("data", (chunk) => {
      complaint += String(chunk);
      const sentence = /Error: (.*)\n/.exec(complaint)?.[1];
      if (sentence) resolve(sentence);
    });
  });
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** An empty folder, or one in which initdb ran already. */
async function newFolder(t: TestContext, folderMade = makeTempFolder()): Promise<string> {
  const folder = await folderMade;
  defer(t, async () => {
    await running.get(folder)?.stop();
    await removeFolder(folder);
  });
  return folder;
}

const running = new Map<string, EmbeddedPostgres>();

/** A service's PostgreSQL in this process; it stops with its folder, or before. */
async function start(folder: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const stop = async () => {
    if (running.delete(folder)) await postgres.stop();
  };
  running.set(folder, { ...postgres, stop });
  return { ...postgres, stop };
}

/** The process with such a command line, as the host of its container numbers it. */
async function findProcess(isMeant: (commandLine: string) => boolean): Promise<number | undefined> {
  for (const name of await readdir("/proc")) {
    const line = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (isMeant(line)) return Number(name);
  }
  return undefined;
}

async function count(connection: Connection): Promise<number> {
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  try {
    const { rows } = await db.query<{ count: number }>(sql`select count(*) as count from kept`);
    return rows[0]?.count ?? 0;
  } finally {
    await db.end();
  }
}

async function keepARow(connection: Connection) {
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  await db.query(sql`create table if not exists kept (id int)`);
  await db.query(sql`insert into kept values (1)`);
  await db.end();
}

test(
  "a container is refused the folder that a service outside holds, and a service the container's",
  { skip: noContainers },
  async (t) => {
    const folder = await newFolder(t, makePreparedFolder());
    const postgres = await start(folder);
    await keepARow(postgres.connection);

    assert.match((await startInContainer(t, folder)).outcome, /in use by another Waypost service, process \d+ on/);
    assert.equal(await count(postgres.connection), 1);
    await postgres.stop();

    const inside = await startInContainer(t, folder);
    assert.equal(inside.outcome, "ready");
    await assert.rejects(start(folder), /in use by another Waypost service/);
    assert.match((await startInContainer(t, folder)).outcome, /in use by another Waypost service/);
  },
);

test("of containers that start at once on one empty folder, one gets it", { skip: noContainers }, async (t) => {
  const folder = await newFolder(t);

  const holdings = await Promise.all(Array.from({ length: 4 }, () => startInContainer(t, folder)));

  const outcomes = holdings.map(({ outcome }) => outcome).sort();
  assert.equal(outcomes.filter((outcome) => outcome === "ready").length, 1, outcomes.join("\n"));
});

// A second postmaster would run recovery on the live cluster: its process id means nothing outside.
test(
  "what a killed service left running in its container keeps others off the folder",
  { skip: noContainers },
  async (t) => {
    const folder = await newFolder(t, makePreparedFolder());
    const first = await start(folder);
    await keepARow(first.connection);
    await first.stop();
    const inside = await startInContainer(t, folder);
    assert.equal(inside.outcome, "ready");
    const holder = [process.execPath, holderProgram, folder].join("\0");
    const isService = (line: string) => line.startsWith(holder);
    const service = await findProcess(isService);
    assert.ok(service);
    process.kill(service, "SIGKILL");
    // A process that is dying may hold its lock for a moment longer.
    let refusal: string;
    do refusal = await start(folder).then(() => "started", String);
    while (refusal.includes("in use by another Waypost service"));

    assert.match(refusal, /left behind in another container/);

    assert.equal(await probe(first.connection), undefined);
    await end(inside.child);
    while (await findProcess((line) => line.includes(folder))) await sleep(20); // the last processes of the container die after its first
    const later = await start(folder);
    assert.equal(later.adopted, false);
    assert.equal(await count(later.connection), 1);
    await later.stop();
  },
);

test("a copy of a stopped data folder is an installation of its own", async (t) => {
  const folder = await newFolder(t, makePreparedFolder());
  const copy = await newFolder(t);
  const first = await start(folder);
  await keepARow(first.connection);
  await first.stop();
  await copyFolder(folder, copy);

  const original = await start(folder);
  const other = await start(copy);
  assert.equal(other.adopted, false);
  await keepARow(other.connection);
  assert.deepEqual([await count(original.connection), await count(other.connection)], [1, 2]);
  await other.stop();

  assert.equal(await count(original.connection), 1);
});

test("a copy of a running data folder is refused, and the original runs on", async (t) => {
  const folder = await newFolder(t, makePreparedFolder());
  const copy = await newFolder(t);
  const original = await start(folder);
  await keepARow(original.connection);
  await copyFolder(folder, copy);

  await assert.rejects(start(copy), /taken while its PostgreSQL was running/);

  assert.equal(await count(original.connection), 1);
});

test("an identity that a power cut emptied under an older version does not make a folder a copy", async (t) => {
  const folder = await newFolder(t, makePreparedFolder());
  const afterwards = await newFolder(t);
  const original = await start(folder);
  await keepARow(original.connection);
  await copyFolder(folder, afterwards);
  await writeFile(join(afterwards, "postgres/identity"), "");

  const postgres = await start(afterwards);

  assert.equal(await count(postgres.connection), 1);
});

test("under root the data stays in a folder that PostgreSQL's user cannot reach", async (t) => {
  if (process.getuid?.() !== 0) return t.skip("this is about root");
  const closed = await newFolder(t);
  await chmod(closed, 0o700);
  const folder = join(closed, "data");

  const postgres = await start(folder);
  await keepARow(postgres.connection);
  await postgres.stop();

  assert.equal((await lstat(join(folder, "postgres"))).isSymbolicLink(), false);
  assert.ok((await realpath(join(folder, "postgres/cluster"))).startsWith(await realpath(closed)));
});

/** As `cp -a` does, without what is no file. */
async function copyFolder(from: string, to: string) {
  const isFile = async (path: string) => {
    const known = await lstat(path);
    return known.isFile() || known.isDirectory();
  };
  await cp(from, to, { recursive: true, filter: isFile });
  if (process.getuid?.() === 0)
    execFileSync("chown", ["-R", "--reference", join(from, "postgres"), join(to, "postgres")]);
}
