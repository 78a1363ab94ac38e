import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createTestDatabase, databaseUrl } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { readConfig } from "../service/config/config.ts";
import { runDoctor } from "./doctor.ts";
import { silentLog } from "../platform/log.ts";
import { startService } from "../service/start.ts";
import { readStatus } from "./status.ts";

/** A server that is not ours, on a free port. */
async function occupyPort(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.end("hello\r\n")).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function givenInstallation(t: TestContext) {
  const database = await createTestDatabase();
  const folder = await makeTempFolder();
  t.after(async () => {
    await database.drop();
    await removeFolder(folder);
  });
  return {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: String(await freePort()),
    WAYPOST_SOURCE: "catalog",
  };
}

const stateOf = (findings: Awaited<ReturnType<typeof runDoctor>>, check: string) =>
  findings.find((each) => each.check === check)?.state;

test("status shows what runs and where, and doctor finds no problem", async (t) => {
  const environment = await givenInstallation(t);
  const config = readConfig(environment);
  const service = await startService(config, silentLog);
  t.after(() => service.stop());

  const status = await readStatus(config);
  const findings = await runDoctor(() => readConfig(environment));

  assert.deepEqual(status.service, { address: service.address, state: "ready", problems: [] });
  assert.equal(status.database.problem, null);
  assert.equal(status.database.details?.is_migrated, true);
  const [process_] = status.processes ?? [];
  assert.equal(status.processes?.length, 1);
  assert.equal(process_?.pid, process.pid);
  assert.equal(process_?.role, "all");
  assert.equal(process_?.port, config.port);
  const queues = ["scrapes_live", "scrapes_test", "collections", "exports", "deliveries"];
  assert.deepEqual(
    status.queues?.map(({ queue, waiting }) => [queue, waiting]),
    queues.map((queue) => [queue, 0]),
  );
  assert.doesNotMatch(JSON.stringify(status), /"[a-z]+[A-Z]\w*":/, "names are written with underscores everywhere");
  assert.deepEqual(status.ledger, { difference_units: 0 });
  assert.equal(status.catalog?.generation, 1);
  assert.ok((status.disk.free_bytes ?? 0) > 0);
  assert.deepEqual(
    findings.filter(({ state }) => state === "problem"),
    [],
  );
  assert.match(findings.find(({ check }) => check === "port")?.says ?? "", /the service answers/);
});

// A second terminal does not know the settings that the service was started with.
test("status and doctor find a service on another port by what the database knows", async (t) => {
  const environment = await givenInstallation(t);
  const service = await startService(readConfig(environment), silentLog);
  const elsewhere = { ...environment, WAYPOST_PORT: String(await freePort()) };

  const status = await readStatus(readConfig(elsewhere));
  const found = (await runDoctor(() => readConfig(elsewhere))).find(({ check }) => check === "service");
  await service.stop();
  const after = await readStatus(readConfig(elsewhere));
  const missed = (await runDoctor(() => readConfig(elsewhere))).find(({ check }) => check === "service");

  assert.deepEqual([status.service.address, status.service.state], [service.address, "ready"]);
  assert.deepEqual(
    status.processes?.map(({ state }) => state),
    ["ready"],
  );
  assert.deepEqual([found?.state, found?.says], ["ok", `it answers at ${service.address}`]);
  assert.equal(after.service.state, "no_answer");
  assert.deepEqual([missed?.state, missed?.fix], ["problem", "npm start"]);
});

test("doctor names each fault with its fix", async (t) => {
  const environment = await givenInstallation(t);
  const folder = environment.WAYPOST_DATA_DIR;
  await writeFile(join(folder, "master-key"), "a secret that everybody can read");
  await chmod(join(folder, "master-key"), 0o644);
  const taken = await occupyPort(t);

  const findings = await runDoctor(() =>
    readConfig({
      ...environment,
      DATABASE_URL: `postgres://nobody@127.0.0.1:${taken}/nothing`,
      WAYPOST_PORT: String(taken),
    }),
  );

  assert.equal(stateOf(findings, "configuration"), "ok");
  assert.equal(stateOf(findings, "permissions"), "problem");
  assert.equal(findings.find(({ check }) => check === "permissions")?.fix, `chmod 600 ${join(folder, "master-key")}`);
  assert.equal(stateOf(findings, "database"), "problem");
  assert.equal(stateOf(findings, "port"), "problem");
  for (const { state, fix } of findings) if (state !== "ok") assert.ok(fix);
});

test("doctor distinguishes a PostgreSQL that hangs under a running service from one that does not run", async (t) => {
  const folder = await makeTempFolder();
  const body = JSON.stringify({ status: "not_ready", problems: ["the database does not answer"], warnings: [] });
  const service = createHttpServer((_, response) => response.writeHead(503).end(body)).listen(0, "127.0.0.1");
  t.after(async () => {
    service.close();
    await removeFolder(folder);
  });
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  await mkdir(join(folder, "postgres", "cluster"), { recursive: true });
  await writeFile(join(folder, "postgres", "cluster", "postmaster.pid"), "1\n");

  const findings = await runDoctor(() => readConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: String(port) }));

  const wrong = findings.filter(({ state }) => state === "problem");
  assert.deepEqual(
    wrong.map(({ check }) => check),
    ["database", "port"],
  );
  assert.match(wrong[0]?.says ?? "", /does not answer, though the service runs/);
  assert.match(wrong[1]?.says ?? "", /is not ready: the database does not answer/);
});

test("doctor lists every bad setting and checks nothing else", async () => {
  const findings = await runDoctor(() => readConfig({ WAYPOST_PORT: "many", WAYPOST_ROLL: "all" }));

  assert.deepEqual(
    findings.map(({ check, state }) => [check, state]),
    [
      ["configuration", "problem"],
      ["configuration", "problem"],
    ],
  );
  assert.match(findings.map(({ says }) => says).join(), /WAYPOST_PORT.*WAYPOST_ROLL/s);
});
