import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { getPriority, hostname } from "node:os";
import { test } from "node:test";
import { promisify } from "node:util";
import { openBulkConnection } from "../../server/src/platform/postgres/bulk.ts";
import { listProcessors } from "../../server/src/platform/processors.ts";
import { formatProcessName } from "../../server/src/platform/process-name.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { until } from "../../server/test/database-door.ts";
import { givenInstallation } from "./installation.ts";

const running = new AbortController().signal;
/** A busy machine takes long to start a process. */
const patienceSeconds = 180;

test("an import lowers its priority, and to the lowest where a service runs on this machine", async (t) => {
  const { connection, file, start } = await givenInstallation(t);
  const path = await file("probes.csv", "name,latitude,longitude\nProbe,47,8\n");
  const holder = await openBulkConnection(connection, running);
  t.after(() => holder.end());
  await holder.execute("begin; lock table catalog_imports in share mode");

  async function found() {
    const child = start("catalog", "import", path);
    let session: number | undefined;
    await until(async () => {
      const { rows } = await holder.query<{ pid: number }>(sql`
        select pid
        from pg_locks
        where not granted and relation = 'catalog_imports'::regclass
      `);
      session = rows[0]?.pid;
      return session !== undefined;
    }, patienceSeconds);
    const pids = [child.pid ?? 0, session ?? 0];
    const [command, follower] = await Promise.all(pids.map(listProcessors));
    assert.deepEqual(command, follower);
    const seen = { priorities: pids.map((pid) => getPriority(pid)), processors: command?.length };
    child.kill("SIGKILL");
    await once(child, "exit");
    // What is left of the command waits no longer: the next one must not be taken for it.
    await until(async () => {
      const { rows } = await holder.query(sql`
        select pg_terminate_backend(pid)
        from pg_locks
        where not granted and relation = 'catalog_imports'::regclass
      `);
      return rows.length === 0;
    }, patienceSeconds);
    return seen;
  }

  const processors = await listProcessors(process.pid);
  const lower = Math.min(19, getPriority() + 5);
  const usual = { priorities: [lower, lower], processors: processors.length };
  assert.deepEqual(await found(), usual);

  const name = { version: "1.0.0", role: "all", pid: 1, port: 8080 };
  const elsewhere = formatProcessName({ ...name, host: "elsewhere" });
  const stranger = await openBulkConnection({ ...connection, applicationName: elsewhere }, running);
  assert.deepEqual(await found(), usual);
  await stranger.end();

  const here = formatProcessName({ ...name, host: hostname() });
  const service = await openBulkConnection({ ...connection, applicationName: here }, running);
  t.after(() => service.end());
  assert.deepEqual(await found(), {
    priorities: [19, 19],
    processors: processors.length > 1 ? processors.length - 1 : processors.length,
  });
});

test("a terminal's priority is lowered with its command's until that ends, unless it has other programs", async (t) => {
  const group = "/proc/self/autogroup";
  if (!existsSync(group)) return t.skip("the system shares processors otherwise");
  const command = `"${process.execPath}" --input-type=module -e '
    import { readFileSync } from "node:fs";
    import { lowerPriority } from "${import.meta.dirname}/../../server/src/operator/lower-priority.ts";
    await lowerPriority({ isServedHere: true });
    console.log(readFileSync("${group}", "utf8"));
  '`;

  async function nicesIn(session: string) {
    const { stdout } = await promisify(execFile)("setsid", ["--wait", "sh", "-c", session]);
    return [...stdout.matchAll(/ nice (-?\d+)$/gm)].map(([, nice]) => Number(nice));
  }

  assert.deepEqual(await nicesIn(`${command}; cat ${group}`), [19, 0]);
  assert.deepEqual(await nicesIn(`sleep 60 & ${command}; cat ${group}; kill $!`), [0, 0]);
});
