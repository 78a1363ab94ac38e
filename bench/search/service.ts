import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { inherited, root, serviceFlags } from "../../e2e/service.ts";
import { newKeyText } from "../../server/src/domains/api-keys/index.ts";
import type { Connection } from "../../server/src/platform/postgres/database.ts";
import { databaseUrl } from "../../server/test/postgres.ts";
import { type LeanConnection, openLeanConnection } from "./lean-client.ts";
import type { Question } from "./world.ts";

/** A program that answers questions over HTTP. */
export type Answering = {
  pid: number;
  /** Milliseconds until it is ready. */
  readyMs: number;
  /** Resolves to how many businesses the answer says it has; an error has none. */
  ask(question: Question): Promise<number>;
  /** The whole answer. */
  read(question: Question): Promise<string>;
  stop(): Promise<void>;
};

/** The service as it is started, asked with a live key. Resolves once it is ready, with its place index. */
export function openService(connection: Connection, folder: string): Promise<Answering> {
  const key = newKeyText("live").text;
  return open("server/src/main.ts", key, {
    DATABASE_URL: databaseUrl(connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_ROLE: "api",
    WAYPOST_SOURCE: "catalog",
    WAYPOST_KEY_PEPPER: "a pepper for the benchmark's service",
    WAYPOST_MASTER_KEY: "a master key for the benchmark's service",
    WAYPOST_SEED_LIVE_KEY: key,
    WAYPOST_RATE_LIMIT: "1000000",
    WAYPOST_DEFAULT_ALLOWANCE: "100000000",
    WAYPOST_LOG_LEVEL: "error",
  });
}

/** A plain route that returns the same bytes each time. */
export function openBareRoute(body: string): Promise<Answering> {
  return open("bench/bare-route.ts", "none", { BARE_ROUTE_BODY: body });
}

async function open(program: string, key: string, environment: Record<string, string>): Promise<Answering> {
  const began = performance.now();
  const child = spawn(process.execPath, [...serviceFlags, program], {
    cwd: root,
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = await addressOf(child);
  if (program !== "bench/bare-route.ts") while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(100);
  const readyMs = performance.now() - began;
  const head = [
    "POST /api/v1/search HTTP/1.1",
    `Host: ${new URL(address).host}`,
    `API-KEY: ${key}`,
    "Content-Type: application/json\r\n",
  ].join("\r\n");
  const idle: LeanConnection[] = [];

  async function ask(question: Question): Promise<number> {
    const lean = takeIdle() ?? (await openLeanConnection(address, head));
    const answer = await lean.post(JSON.stringify(question));
    idle.push(lean);
    const [, total = 0] = /^HTTP\/1.1 200.*"total":(\d+)/s.exec(answer) ?? [];
    return Number(total);
  }

  /** The service closes one after its last request, and one that nobody used for long. */
  function takeIdle(): LeanConnection | undefined {
    let lean = idle.pop();
    while (lean?.isClosed()) lean = idle.pop();
    return lean;
  }

  async function read(question: Question): Promise<string> {
    const headers = { "API-KEY": key, "Content-Type": "application/json" };
    const body = JSON.stringify(question);
    return (await fetch(`${address}/api/v1/search`, { method: "POST", headers, body })).text();
  }

  async function stop(): Promise<void> {
    for (const each of idle) each.close();
    child.kill("SIGTERM");
    await exited;
  }

  return { pid: child.pid ?? 0, readyMs, ask, read, stop };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    const [, address] = /ready at (\S+)/.exec(output) ?? [];
    if (address !== undefined) {
      child.stdout?.resume();
      return address;
    }
  }
  throw new Error(`the program ended while starting: ${output}`);
}
