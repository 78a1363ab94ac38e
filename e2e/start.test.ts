import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Connection } from "../server/src/platform/postgres/database.ts";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import {
  newDataFolder,
  newPreparedFolder,
  postmasterOf,
  root,
  run,
  search,
  startService,
  until,
  waypost,
} from "./service.ts";

type SocketConnection = Extract<Connection, { socketFolder: string }>;

const shell = promisify(exec);
const testKeyIn = (output: string) => /svc_test_\w+/.exec(output)?.[0] ?? "";

test("the first start tells a newcomer everything, and its curl line works when pasted", async (t) => {
  const dataFolder = await newDataFolder(t);
  const service = await startService(t, { WAYPOST_DATA_DIR: dataFolder, WAYPOST_SOURCE: "auto" });

  assert.match(service.output, /ready at http:\/\/127\.0\.0\.1:\d+ \(after \d+\.\d s\)/);
  assert.match(service.output, /live {2}svc_live_\w+/);
  assert.match(service.output, /test {2}svc_test_\w+/);
  assert.ok(service.output.includes(`Reference   ${service.address}/docs`));
  assert.ok(service.output.includes(dataFolder));
  assert.match(service.output, /Live keys   answered by OpenStreetMap.*npx waypost catalog add/);
  const curl = /^ {2}curl [^]*?\/search$/m.exec(service.output)?.[0] ?? "";
  const hasCurl = await shell("command -v curl").then(
    () => true,
    () => false,
  );
  if (!hasCurl) return t.diagnostic("curl is not on this machine; the line was not pasted");
  const { stdout } = await shell(curl);
  assert.equal((JSON.parse(stdout) as { data: { total: number } }).data.total, 20);
});

test("killed ten times in a row, it starts each time, keeps its data and shows its keys no second time", async (t) => {
  const dataFolder = await newPreparedFolder(t);
  const environment = { WAYPOST_DATA_DIR: dataFolder };
  let service = await startService(t, environment);
  const key = testKeyIn(service.output);
  const readySeconds = [service.output];

  for (let round = 1; round <= 10; round += 1) {
    assert.equal((await search(service.address, key)).status, 200, `round ${round}`);
    await service.end("SIGKILL");
    service = await startService(t, environment);
    readySeconds.push(service.output);
    assert.ok(!/svc_(live|test)_\w/.test(service.output));
  }

  assert.equal((await search(service.address, key)).status, 200);
  assert.deepEqual(await service.end("SIGTERM"), { code: 0, signal: null });
  t.diagnostic(`ready after ${readySeconds.map((output) => /after (\S+) s/.exec(output)?.[1]).join(", ")} s`);
});

test("SIGTERM stops it in order: the answer under way is sent, PostgreSQL is gone, the exit code is 0", async (t) => {
  const dataFolder = await newPreparedFolder(t);
  const service = await startService(t, { WAYPOST_DATA_DIR: dataFolder });
  let log = "";
  service.child.stdout?.on("data", (chunk) => (log += String(chunk)));
  const key = testKeyIn(service.output);
  const answers = Array.from({ length: 20 }, () => search(service.address, key).catch(() => undefined));
  await Promise.race(answers);

  const ended = await service.end("SIGTERM");

  assert.deepEqual(ended, { code: 0, signal: null });
  assert.equal(log.replaceAll(/^[^{].*\n|^\n/gm, ""), "", "a clean stop warns of nothing");
  for (const answer of await Promise.all(answers)) assert.ok(answer === undefined || answer.status === 200);
  await assert.rejects(readFile(join(dataFolder, "postgres/cluster/postmaster.pid")), { code: "ENOENT" });
});

test("a second service on the data folder is refused with a clear sentence", async (t) => {
  const dataFolder = await newPreparedFolder(t);
  const first = await startService(t, { WAYPOST_DATA_DIR: dataFolder });

  await assert.rejects(
    startService(t, { WAYPOST_DATA_DIR: dataFolder }),
    /could not start: The data folder .* is in use by another Waypost service/,
  );

  await until(async () => (await fetch(`${first.address}/readyz`)).status === 200);
});

test("ten services that start at once on one database do no harm", async (t) => {
  const database = await createTestDatabase({ empty: true });
  defer(t, () => database.drop());
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: await newDataFolder(t),
    WAYPOST_DATABASE_CONNECTIONS: "2",
  };

  const services = await Promise.all(Array.from({ length: 10 }, () => startService(t, environment)));

  const withKeys = services.filter(({ output }) => testKeyIn(output) !== "");
  assert.equal(withKeys.length, 1);
  const key = testKeyIn(withKeys[0]?.output ?? "");
  // The starts of ten keep a small machine busy, and one that waits too long for the database says 503 meanwhile.
  for (const { address } of services) await until(async () => (await search(address, key)).status === 200);
});

test("a key revoked through one process is refused by the others", async (t) => {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const environment = { DATABASE_URL: databaseUrl(database.connection), WAYPOST_DATA_DIR: await newDataFolder(t) };
  const first = await startService(t, environment);
  const second = await startService(t, environment);
  const created = JSON.parse(
    (await waypost(["keys", "create", "--name", "brief", "--environment", "test", "--json"], environment)).stdout,
  );
  for (const { address } of [first, second]) assert.equal((await search(address, created.key)).status, 200);

  await waypost(["keys", "revoke", created.id, "--reason", "a test of revocation"], environment);

  // Within a second by the rule of its cache, which a test of the verifier holds to a clock of its own.
  const deadline = AbortSignal.timeout(30_000);
  for (const { address } of [first, second]) {
    while ((await search(address, created.key)).status !== 401) deadline.throwIfAborted();
  }
});

test("seeded keys are installed at the first start instead of random ones", async (t) => {
  const generate = async (environment: string) =>
    (await waypost(["keys", "generate", "--environment", environment], {})).stdout.trim();
  const [live, testKey] = [await generate("live"), await generate("test")];
  const environment = {
    WAYPOST_DATA_DIR: await newPreparedFolder(t),
    WAYPOST_SEED_LIVE_KEY: live,
    WAYPOST_SEED_TEST_KEY: testKey,
  };

  const service = await startService(t, environment);

  assert.equal((await search(service.address, testKey)).status, 200);
  assert.equal((await search(service.address, live)).body["error"].code, "capability_unavailable");
});

test("a bad setting stops the start with its name, and nothing is left running", async (t) => {
  const { code, stderr } = await run(process.execPath, ["server/src/main.ts"], {
    WAYPOST_PORT: "eighty",
    WAYPOST_DATA_DIR: await newDataFolder(t),
  });

  assert.equal(code, 1);
  assert.match(stderr, /^WAYPOST_PORT is "eighty": it must be a whole number from 0 to 65535/);
});

test("a port that is taken at the first start costs no keys: they come with the start that works", async (t) => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  defer(t, () => taken.close());
  const { port } = taken.address() as AddressInfo;
  const environment = { WAYPOST_DATA_DIR: await newPreparedFolder(t) };

  await assert.rejects(startService(t, { ...environment, WAYPOST_PORT: String(port) }), (error: Error) => {
    assert.match(error.message, new RegExp(`could not start: Port ${port} on 127.0.0.1 is taken.*set WAYPOST_PORT`));
    assert.doesNotMatch(error.message, /svc_(live|test)_/);
    assert.doesNotMatch(error.message, /"stack"/, "no stack trace stands above the sentence");
    return true;
  });

  const service = await startService(t, environment);
  assert.equal((await search(service.address, testKeyIn(service.output))).status, 200);
});

test("a start waits for a database that comes up later, and says so when it never does", async (t) => {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const { socketFolder, user, password, database: name } = database.connection as SocketConnection;
  const gate = createServer((socket) => {
    const upstream = connect(join(socketFolder, ".s.PGSQL.5432"));
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on("error", () => end.destroy());
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const { port } = gate.address() as AddressInfo;
  await new Promise((resolve) => gate.close(resolve));
  defer(t, () => gate.close());
  const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
  const environment = { DATABASE_URL: url, WAYPOST_DATA_DIR: await newDataFolder(t) };

  await assert.rejects(
    startService(t, { ...environment, WAYPOST_DATABASE_WAIT_SECONDS: "1" }),
    /could not start: The PostgreSQL of DATABASE_URL could not be reached within 1 s .*ECONNREFUSED.*Start it, or correct/,
  );

  const starting = startService(t, environment);
  await sleep(1_000); // it is refused at least once; the outcome is the same when it is not
  gate.listen(port, "127.0.0.1");
  assert.equal((await fetch(`${(await starting).address}/readyz`)).status, 200);
  const wrong = url.replace(`:${encodeURIComponent(password)}@`, ":wrong@");
  await assert.rejects(startService(t, { ...environment, DATABASE_URL: wrong }), /Correct its user or password/);
  const missing = `${url.slice(0, url.lastIndexOf("/"))}/nowhere`;
  await assert.rejects(startService(t, { ...environment, DATABASE_URL: missing }), /Create it first/);
});

test("a data folder that cannot be used, or holds a damaged cluster, is told with the way out", async (t) => {
  const folder = await newPreparedFolder(t);
  await writeFile(join(folder, "file"), "");
  await assert.rejects(
    startService(t, { WAYPOST_DATA_DIR: join(folder, "file") }),
    /could not start: The data folder .* is a file, or lies in one\. Set WAYPOST_DATA_DIR to a folder\./,
  );

  const service = await startService(t, { WAYPOST_DATA_DIR: folder });
  await service.end("SIGTERM");
  await rm(join(folder, "postgres/cluster/global/pg_control"));
  await assert.rejects(
    startService(t, { WAYPOST_DATA_DIR: folder }),
    /could not start: PostgreSQL stopped while starting.*restore a backup into an empty data folder/s,
  );
});

test("a database with another pepper is refused rather than every key", async (t) => {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const url = { DATABASE_URL: databaseUrl(database.connection) };
  await startService(t, { ...url, WAYPOST_DATA_DIR: await newDataFolder(t) });

  await assert.rejects(
    startService(t, { ...url, WAYPOST_DATA_DIR: await newDataFolder(t) }),
    /hashed under another pepper. Set WAYPOST_KEY_PEPPER/,
  );
});

test("the role worker answers health and nothing else", async (t) => {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: await newDataFolder(t),
    WAYPOST_ROLE: "worker",
  };

  const service = await startService(t, environment);

  assert.equal((await fetch(`${service.address}/readyz`)).status, 200);
  assert.equal((await fetch(`${service.address}/api/v1/search`, { method: "POST" })).status, 404);
});

test("a worker that starts first leaves the keys to the process that shows them", async (t) => {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: await newDataFolder(t),
  };

  const worker = await startService(t, { ...environment, WAYPOST_ROLE: "worker" });
  const api = await startService(t, { ...environment, WAYPOST_ROLE: "api" });

  assert.doesNotMatch(worker.output, /svc_/);
  assert.equal((await search(api.address, testKeyIn(api.output))).status, 200);
});

test("readiness tells when the database is away and when it is back", async (t) => {
  const dataFolder = await newPreparedFolder(t);
  const service = await startService(t, { WAYPOST_DATA_DIR: dataFolder });
  const pid = await postmasterOf(dataFolder);
  const key = testKeyIn(service.output);

  process.kill(pid, "SIGKILL");
  let wasAway = false;
  await until(async () => {
    const { status } = await fetch(`${service.address}/readyz`);
    assert.ok(status === 200 || status === 503);
    wasAway ||= status === 503;
    return wasAway && status === 200;
  });

  assert.equal((await search(service.address, key)).status, 200);
});

test("the package scripts start and test it as the README says", async () => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const readme = await readFile(join(root, "README.md"), "utf8");

  assert.ok(readme.slice(0, 2_500).includes("npm ci && npm start"));
  assert.ok(readme.slice(0, 2_500).includes("npm ci && npm test"));
  assert.equal(scripts.start, "exec node cli/bin/waypost.js serve || node cli/bin/waypost.js serve");
  assert.match(await readFile(join(root, ".ci/run"), "utf8"), /npm ci && npm test/);
});
