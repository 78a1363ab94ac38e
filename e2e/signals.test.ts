import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import {
  inherited,
  newDataFolder,
  newPreparedFolder,
  root,
  run,
  type RunningService,
  startService,
  until,
} from "./service.ts";

type Started = { child: ChildProcess; address: string };

/** The service as a user starts it, under whatever npm puts in between. */
async function startByCommand(t: TestContext, command: string, words: string[], folder: string): Promise<Started> {
  const child = spawn(command, words, {
    cwd: root,
    env: { ...inherited, HOME: folder, WAYPOST_PORT: "0", WAYPOST_SOURCE: "catalog", WAYPOST_DATA_DIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  defer(t, () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // Nothing of the group is left.
    }
  });
  let output = "";
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const found = /ready at (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.on("exit", () => reject(new Error(output)));
  });
  return { child, address };
}

/** A clean stop removes the pid file; a killed service leaves its PostgreSQL running. */
const isStoppedCleanly = async (folder: string) =>
  readFile(join(folder, "postgres/cluster/postmaster.pid")).then(
    () => false,
    () => true,
  );

/** What is left of a command's process group, without those that only wait for their parent to notice. */
async function processesOf(child: ChildProcess): Promise<string[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pgid=,stat=,args="], {});
  const lines = stdout.split("\n").map((line) => line.trim());
  return lines.filter((line) => line.startsWith(`${child.pid} `) && !/^\d+ +Z/.test(line));
}

const answers = (address: string) =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  );

/** A client that never sends a whole request. */
async function connect(t: TestContext, address: string, bytes: string) {
  const { hostname, port } = new URL(address);
  const socket = createConnection(Number(port), hostname).on("error", () => undefined);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  socket.write(bytes);
}

const launches: [name: string, command: string, words: string[]][] = [
  ["npm start", "npm", ["start"]],
  ["npx waypost serve", "npx", ["waypost", "serve"]],
  ["the launcher", process.execPath, ["cli/bin/launch.js", "server/src/main.ts"]],
];

// SIGKILL cannot be forwarded: the service has to notice that whoever started it is gone. The shell that npx starts may
// keep SIGINT to itself, as dash does; Ctrl-C reaches the service without it.
const signalsOf: Record<string, readonly NodeJS.Signals[]> = {
  "npm start": ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"],
  "npx waypost serve": ["SIGTERM", "SIGHUP", "SIGKILL"],
  "the launcher": ["SIGTERM", "SIGINT", "SIGHUP"],
};

for (const [name, command, words] of launches) {
  for (const signal of signalsOf[name] ?? []) {
    test(`${signal} to ${name} stops the service and its PostgreSQL`, async (t) => {
      const folder = await newPreparedFolder(t);
      const { child, address } = await startByCommand(t, command, words, folder);
      await connect(t, address, "");
      if (name === "the launcher") await connect(t, address, "GET /healthz HTTP/1.1\r\nHost: ");

      child.kill(signal);

      await until(async () => !(await answers(address)));
      await until(() => isStoppedCleanly(folder));
      await until(async () => (await processesOf(child)).length === 0);
    });
  }
}

type Balancer = { address: string; server: Server };

/**
 * The simplest of balancers: it asks each backend now and then whether it is ready, and retries nothing. While none is,
 * as on a machine so busy that no database answers within a second, requests wait.
 */
async function startBalancer(t: TestContext, backends: RunningService[], checkMs: number): Promise<Balancer> {
  const ready = new Set(backends.map(({ address }) => address));
  const check = async () => {
    for (const { address } of backends) {
      const isReady = await fetch(`${address}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) ready.add(address);
      else ready.delete(address);
    }
  };
  const timer = setInterval(() => void check(), checkMs);
  let turn = 0;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    await until(() => ready.size > 0);
    const addresses = [...ready];
    const address = addresses[turn++ % addresses.length];
    const forward = request(`${address}${incoming.url}`, { headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502);
      answer.pipe(outgoing);
    });
    forward.on("error", () => outgoing.writeHead(502).end());
    forward.end();
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  defer(t, () => {
    clearInterval(timer);
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function readiness(address: string) {
  const response = await fetch(`${address}/readyz`);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("a restart behind a balancer that retries nothing fails no request", async (t) => {
  const database = await createTestDatabase();
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: await newDataFolder(t),
    WAYPOST_DRAIN_SECONDS: "10",
  };
  defer(t, () => database.drop());
  const [first, second] = [await startService(t, environment), await startService(t, environment)];
  const balancer = await startBalancer(t, [first, second], 200);
  const statuses: number[] = [];
  const over = new AbortController();
  const clients = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      const response = await fetch(`${balancer.address}/api/v1/scrapes/job_x`).catch(() => undefined);
      await response?.arrayBuffer();
      statuses.push(response?.status ?? 0);
      await sleep(10); // as clients do that have other work, for as long as the drain lasts
    }
  });
  await until(() => statuses.length > 50);

  const ended = first.end("SIGTERM");
  let refusing = "";
  await until(async () => {
    const { status, headers, text } = await readiness(first.address);
    if (status === 503) refusing = `${headers.get("connection")}: ${text}`;
    return status === 503;
  });
  assert.match(refusing, /^close: .*the process is stopping/);
  assert.deepEqual(await ended, { code: 0, signal: null });
  const atEnd = statuses.length;
  await until(() => statuses.length > atEnd + 50);
  over.abort();
  await Promise.all(clients);

  // No key, no such job: the service itself answered each one.
  assert.deepEqual([...new Set(statuses)], [401]);
  await second.end("SIGTERM");
});

test("Ctrl-C twice from one key press is one wish, and stops in order", async (t) => {
  const folder = await newPreparedFolder(t);
  const service = await startService(t, { WAYPOST_DATA_DIR: folder, WAYPOST_DRAIN_SECONDS: "60" });

  service.child.kill("SIGINT");
  await sleep(5); // the second comes by way of npm, a moment later
  const ended = await service.end("SIGINT");

  assert.deepEqual(ended, { code: 0, signal: null });
  assert.ok(await isStoppedCleanly(folder));
});
