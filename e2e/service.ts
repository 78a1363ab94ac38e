import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defer } from "../server/test/defer.ts";
import { makePreparedFolder } from "../server/test/prepared-cluster.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A service in a process of its own, as `npm start` runs it. */
export type RunningService = {
  address: string;
  output: string;
  child: ChildProcess;
  /** Sends a signal and resolves to how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

export type Environment = Record<string, string>;

// A test that timed out may not come to stop its services.
const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** What every program of the tests gets from this one: compiled code is shared. */
export const inherited: Environment = Object.fromEntries(
  ["PATH", "NODE_COMPILE_CACHE"].map((name) => [name, process.env[name] ?? ""]),
);

/** What `npm start` gives Node; a start collects half as much garbage with it. */
export const serviceFlags = ["--max-semi-space-size=32"];

const readyDeadlineMs = 180_000;

export async function newDataFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  return folder;
}

/** A data folder whose PostgreSQL is initialized and migrated already. */
export async function newPreparedFolder(t: TestContext): Promise<string> {
  const folder = await makePreparedFolder();
  defer(t, () => removeFolder(folder));
  return folder;
}

/** Starts the service and waits until it says it is ready; rejects with its output when it ends before. */
export async function startService(
  t: TestContext,
  environment: Environment,
  program: readonly string[] = ["server/src/main.ts"],
  cwd = root,
): Promise<RunningService> {
  return startServiceUntil((stop) => defer(t, stop), environment, program, cwd);
}

/** The same for a service that several tests share: `stopLater` keeps what stops it. */
export async function startServiceUntil(
  stopLater: (stop: () => Promise<unknown>) => void,
  environment: Environment,
  program: readonly string[] = ["server/src/main.ts"],
  cwd = root,
): Promise<RunningService> {
  const child = spawn(process.execPath, [...serviceFlags, ...program], {
    cwd,
    env: {
      ...inherited,
      WAYPOST_PORT: "0",
      WAYPOST_LOG_LEVEL: "warn",
      WAYPOST_SOURCE: "catalog",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.on("exit", (code, signal) => resolve({ code, signal })),
  );
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  stopLater(() => end("SIGTERM"));
  children.add(child);

  let output = "";
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const ready = new Promise<string>((resolve) =>
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const address = /ready at (\S+)/.exec(output)?.[1];
      if (address && output.includes("\n\n")) resolve(address);
    }),
  );
  const timer = AbortSignal.timeout(readyDeadlineMs);
  const address = await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error(output))),
    new Promise<never>((_, reject) => timer.addEventListener("abort", () => reject(new Error(`not ready: ${output}`)))),
  ]);
  return { address, output, child, end };
}

/** Runs a command to its end. */
export async function run(command: string, words: readonly string[], environment: Environment, cwd = root) {
  const child = spawn(command, words, {
    cwd,
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
  return { code, stdout, stderr };
}

export const waypost = (words: readonly string[], environment: Environment) =>
  run(process.execPath, [join(root, "cli/bin/waypost.js"), ...words], environment);

export async function search(address: string, key: string, q = "coffee in Vaduz") {
  const response = await fetch(`${address}/api/v1/search`, {
    method: "POST",
    headers: { "API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify({ q }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

/** The process that runs the PostgreSQL of a data folder. */
export async function postmasterOf(folder: string): Promise<number> {
  const pid = Number.parseInt(await readFile(join(folder, "postgres", "cluster", "postmaster.pid"), "utf8"), 10);
  assert.ok(pid > 0);
  return pid;
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, "it did not come true within a minute");
    await sleep(50);
  }
}
