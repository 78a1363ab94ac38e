import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { doorTo, until } from "../../../test/database-door.ts";
import { defer } from "../../../test/defer.ts";
import { fileDatabase, startApi } from "../../../test/harness.ts";
import { startOwnTime } from "../../../test/own-time.ts";
import { administer, createTestDatabase } from "../../../test/postgres.ts";
import { mountSmallDisk } from "../../../test/small-disk.ts";
import { unprivilegedUser } from "../../platform/postgres/embedded/system-user.ts";
import { sql } from "../../platform/postgres/sql.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
const mebibyte = 1024 * 1024;

async function readiness(api: Api) {
  const { status, body } = await api.call("/readyz");
  return { status, problems: body["problems"] as string[], warnings: body["warnings"] as string[] };
}

async function startReady(t: TestContext, options: Parameters<typeof startApi>[1] = {}) {
  const api = await startApi(t, options);
  const { status, problems } = await readiness(api);
  assert.equal(status, 200, problems.join());
  return api;
}

test("a database that hangs makes the process unready within two seconds, however many ask", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startReady(t, { connection: door.through });
  door.jam();

  const ownTime = startOwnTime(t);
  const answers = await Promise.all(Array.from({ length: 12 }, () => readiness(api)));

  assert.ok(ownTime.seconds() < 2, `${ownTime.seconds()} s`);
  for (const { status, problems } of answers) {
    assert.equal(status, 503);
    assert.deepEqual(problems, ["the database does not answer"]);
  }
  assert.ok(api.db.pool().connections < 5, "the checks share a connection");
  door.shut();
});

test("a database that takes no writes makes the process unready", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const api = await startReady(t, { connection: database.connection });

  const name = "database" in database.connection ? database.connection.database : "";
  await api.db.query({
    ...sql`select 1`,
    name: "read-only",
    text: `alter database ${name} set default_transaction_read_only = on`,
  });
  const endAll = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`;
  await api.db.query(endAll).catch(() => undefined);

  await until(async () => (await readiness(api)).problems.includes("the database takes no writes"));
  assert.equal((await readiness(api)).status, 503);
});

test("a full disk makes the process unready, and little space is warned of", async (t) => {
  const disk = { freeBytes: 2_000 * mebibyte, totalBytes: 10_000 * mebibyte, freeFiles: 1_000_000 };
  const api = await startReady(t, { readDisk: async () => disk });
  assert.deepEqual((await readiness(api)).warnings, []);

  disk.freeBytes = 1_023 * mebibyte;
  const low = await readiness(api);
  disk.freeBytes = 63 * mebibyte;
  const full = await readiness(api);

  assert.equal(low.status, 200);
  assert.deepEqual(low.warnings, ["the disk of the data folder has 1023 MiB left"]);
  assert.equal(full.status, 503);
  assert.deepEqual(full.problems, ["the disk of the data folder has 63 MiB left"]);

  Object.assign(disk, { freeBytes: 2_000 * mebibyte, freeFiles: 0 });
  const crowded = await readiness(api);
  assert.equal(crowded.status, 503);
  assert.deepEqual(crowded.problems, ["the disk of the data folder has room for 0 more files"]);
});

test("a full disk of the database's server shows as soon as a statement met it, and no longer than it lasts", async (t) => {
  // PostgreSQL writes to it.
  const small = await mountSmallDisk(t, { megabytes: 8, owner: await unprivilegedUser() });
  if (!small) return;
  const database = await createTestDatabase();
  const { connection } = database;
  const name = "database" in connection ? connection.database : "";
  const space = `space_${name}`;
  await administer(connection, `create tablespace ${space} location '${small}'`);
  defer(t, async () => {
    await database.drop();
    await administer(await fileDatabase(), `drop tablespace ${space}`);
  });
  await administer(connection, `alter database ${name} set temp_tablespaces = ${space}`);
  const api = await startReady(t, { connection });
  const filler = join(small, "filler");
  await writeFile(filler, Buffer.alloc(8 * mebibyte)).catch(() => undefined);

  const spilling = sql`select count(*) from generate_series(1, 1000000)`;
  await assert.rejects(api.db.query(spilling), { code: "53100" });
  const full = await readiness(api);
  await rm(filler);
  const freed = await readiness(api);

  assert.deepEqual([full.status, full.problems], [503, ["the disk of the database's server is full"]]);
  assert.deepEqual([freed.status, freed.problems], [200, []]);
});

test("a source that is still loading makes the process unready, and a load that failed is tried again", async (t) => {
  const api = await startReady(t);
  const loads: (() => void)[] = [];
  const tooManyFiles = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });

  api.sourceLoading.start({
    name: "catalog",
    search: () => Promise.reject(tooManyFiles),
    async warm() {
      const { promise, resolve } = Promise.withResolvers<void>();
      loads.push(resolve);
      if (loads.length === 1) throw tooManyFiles;
      await promise;
    },
  });

  assert.deepEqual((await readiness(api)).problems, ["the source catalog is still loading its data"]);
  await until(() => loads.length === 2);
  assert.equal((await readiness(api)).status, 503);
  loads[1]?.();
  await until(async () => (await readiness(api)).status === 200);
});

test("a process that runs on after a newer version has upgraded the database says so, and serves", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const api = await startReady(t, { connection: database.connection });

  await api.db.query(sql`insert into schema_migrations (name, checksum) values ('9999_later.sql', 'later')`);
  const { status, warnings } = await readiness(api);

  assert.equal(status, 200);
  assert.match(warnings.join(), /upgraded by a newer version of Waypost.*9999_later\.sql\. Start the newer version/);
});
