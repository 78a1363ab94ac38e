import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import { newDataFolder, postmasterOf, root, run, search, startService, until, waypost } from "./service.ts";

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
  const dataFolder = await newDataFolder(t);
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
  const dataFolder = await newDataFolder(t);
  const service = await startService(t, { WAYPOST_DATA_DIR: dataFolder });
  const key = testKeyIn(service.output);
  const answers = Array.from({ length: 20 }, () => search(service.address, key).catch(() => undefined));
  await Promise.race(answers);

  const ended = await service.end("SIGTERM");

  assert.deepEqual(ended, { code: 0, signal: null });
  for (const answer of await Promise.all(answers)) assert.ok(answer === undefined || answer.status === 200);
  await assert.rejects(readFile(join(dataFolder, "postgres/cluster/postmaster.pid")), { code: "ENOENT" });
});

test("a second service on the data folder is refused with a clear sentence", async (t) => {
  const dataFolder = await newDataFolder(t);
  const first = await startService(t, { WAYPOST_DATA_DIR: dataFolder });

  await assert.rejects(
    startService(t, { WAYPOST_DATA_DIR: dataFolder }),
    /could not start: The data folder .* is in use by another Waypost service/,
  );

  assert.equal((await fetch(`${first.address}/readyz`)).status, 200);
});

test("ten services that start at once on one database do no harm", async (t) => {
  const database = await createTestDatabase({ empty: true });
  t.after(() => database.drop());
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: await newDataFolder(t),
    WAYPOST_DATABASE_CONNECTIONS: "2",
  };

  const services = await Promise.all(Array.from({ length: 10 }, () => startService(t, environment)));

  const withKeys = services.filter(({ output }) => testKeyIn(output) !== "");
  assert.equal(withKeys.length, 1);
  const key = testKeyIn(withKeys[0]?.output ?? "");
  for (const { address } of services) assert.equal((await search(address, key)).status, 200);
});

test("a key revoked through one process is refused by the others", async (t) => {
  const database = await createTestDatabase({ empty: true });
  t.after(() => database.drop());
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
    WAYPOST_DATA_DIR: await newDataFolder(t),
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

test("a port that is taken, and a database that is not there, are told in a sentence", async (t) => {
  const service = await startService(t, { WAYPOST_DATA_DIR: await newDataFolder(t) });
  const { port } = new URL(service.address);

  await assert.rejects(
    startService(t, { WAYPOST_DATA_DIR: await newDataFolder(t), WAYPOST_PORT: port }),
    /could not start: .*EADDRINUSE/,
  );
  await assert.rejects(
    startService(t, { DATABASE_URL: "postgres://nobody:x@127.0.0.1:1/none", WAYPOST_DATA_DIR: await newDataFolder(t) }),
    /could not start: .*ECONNREFUSED/,
  );
});

test("a database with another pepper is refused rather than every key", async (t) => {
  const database = await createTestDatabase({ empty: true });
  t.after(() => database.drop());
  const url = { DATABASE_URL: databaseUrl(database.connection) };
  await startService(t, { ...url, WAYPOST_DATA_DIR: await newDataFolder(t) });

  await assert.rejects(
    startService(t, { ...url, WAYPOST_DATA_DIR: await newDataFolder(t) }),
    /hashed under another pepper. Set WAYPOST_KEY_PEPPER/,
  );
});

test("the role worker answers health and nothing else", async (t) => {
  const database = await createTestDatabase({ empty: true });
  t.after(() => database.drop());
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: await newDataFolder(t),
    WAYPOST_ROLE: "worker",
  };

  const service = await startService(t, environment);

  assert.equal((await fetch(`${service.address}/readyz`)).status, 200);
  assert.equal((await fetch(`${service.address}/api/v1/search`, { method: "POST" })).status, 404);
});

test("readiness tells when the database is away and when it is back", async (t) => {
  const dataFolder = await newDataFolder(t);
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
  assert.equal(scripts.start, "node server/src/main.ts");
  assert.match(await readFile(join(root, ".ci/run"), "utf8"), /npm ci && npm test/);
});
