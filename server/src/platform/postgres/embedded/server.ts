import { spawn } from "node:child_process";
import { open, readFile, realpath, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { probe } from "../database.ts";
import { type Cluster, serverEnvironment } from "./cluster.ts";

export type ServerOptions = {
  cluster: Cluster;
  log: Log;
  /** Settings beyond our own, as PostgreSQL names them. */
  settings?: Record<string, string>;
};

export type Server = { adopted: boolean; stop(): Promise<void> };

const startAttemptsMax = 5;
const startDeadlineMs = 30_000;
const stopDeadlineMs = 20_000;
const superviseMs = 250;
const logBytesMax = 10 * 1024 * 1024;

/**
 * Runs PostgreSQL on a cluster until stop(). A server that a killed predecessor left running is
 * adopted; one that dies is started again. Call it while holding the folder's lock.
 */
export async function runServer({ cluster, log, settings = {} }: ServerOptions): Promise<Server> {
  const stopping = new AbortController();
  let { pid, adopted } = await bringUp(cluster, settings);
  const supervision = supervise();

  async function supervise() {
    for (;;) {
      await sleep(superviseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      if (isAlive(pid)) continue;
      log.error({ pid }, "postgres.died");
      try {
        ({ pid } = await bringUp(cluster, settings));
        log.warn({ pid }, "postgres.restarted");
      } catch (error) {
        log.error({ error: (error as Error).message }, "postgres.restart_failed");
      }
    }
  }

  async function stop() {
    stopping.abort();
    await supervision;
    if (await end(pid, "SIGINT", stopDeadlineMs)) return;
    await end(pid, "SIGQUIT", stopDeadlineMs);
  }

  return { adopted, stop };
}

/**
 * Tries more than once: a predecessor may be on its way out, and the sessions of a killed
 * postmaster hold its shared memory until they notice.
 */
async function bringUp(cluster: Cluster, settings: Record<string, string>): Promise<{ pid: number; adopted: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const predecessor = await runningPid(cluster.folder);
      const pid = predecessor ?? (await launch(cluster, settings));
      await waitUntilReady(cluster, pid);
      return { pid, adopted: predecessor !== undefined };
    } catch (error) {
      if (attempt === startAttemptsMax) throw error;
      await sleep(500);
    }
  }
}

async function launch(cluster: Cluster, settings: Record<string, string>): Promise<number> {
  await removeStalePidFile(cluster.folder);
  await keepLogSmall(cluster.logFile);
  const logFile = await open(cluster.logFile, "a", 0o600);
  const flags = Object.entries({ ...serverSettings(cluster), ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  try {
    // Detached, so that Ctrl-C in a terminal reaches us alone and the order of shutdown is ours.
    const child = spawn(cluster.binaries.postgres, ["-D", cluster.folder, ...flags], {
      ...cluster.user,
      cwd: cluster.home,
      detached: true,
      stdio: ["ignore", logFile.fd, logFile.fd],
      env: serverEnvironment,
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    if (child.pid === undefined) throw new Error("PostgreSQL did not start.");
    return child.pid;
  } finally {
    await logFile.close();
  }
}

function serverSettings(cluster: Cluster): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: cluster.connection.socketFolder,
    unix_socket_permissions: "0700",
    max_connections: "200",
    shared_buffers: "256MB",
    log_min_messages: "warning",
    timezone: "UTC",
  };
}

async function waitUntilReady(cluster: Cluster, pid: number) {
  const deadline = Date.now() + startDeadlineMs;
  for (;;) {
    const error = await probe(cluster.connection);
    if (!error) return;
    if (!isAlive(pid))
      throw new Error(`PostgreSQL stopped while starting: ${await lastLines(cluster.logFile)}`, { cause: error });
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL was not ready after ${startDeadlineMs / 1000} s: ${error.message}`, { cause: error });
    await sleep(20);
  }
}

/** Sends a signal and waits for the process to go; false when it is still there at the deadline. */
async function end(pid: number, signal: NodeJS.Signals, deadlineMs: number): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  try {
    process.kill(pid, signal);
  } catch {
    return true;
  }
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return true;
    await sleep(10);
  }
  return false;
}

/** The postmaster of this cluster, if one runs: a pid file alone may name a stranger's process. */
async function runningPid(folder: string): Promise<number | undefined> {
  const pid = await recordedPid(folder);
  if (pid === undefined || !isAlive(pid)) return undefined;
  const [command, workingFolder, ours] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
    realpath(`/proc/${pid}/cwd`).catch(() => ""),
    realpath(folder),
  ]);
  return command.split("\0")[0]?.endsWith("/postgres") && workingFolder === ours ? pid : undefined;
}

async function removeStalePidFile(folder: string) {
  if ((await recordedPid(folder)) !== undefined && (await runningPid(folder)) === undefined) {
    await rm(join(folder, "postmaster.pid"), { force: true });
  }
}

async function recordedPid(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function keepLogSmall(path: string) {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > logBytesMax) await truncate(path);
}

async function lastLines(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trim().split("\n").slice(-5).join(" | ") || "it wrote no log";
}
