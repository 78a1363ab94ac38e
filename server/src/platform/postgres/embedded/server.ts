import { spawn } from "node:child_process";
import { type FileHandle, open, readFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readDisk } from "../../disk.ts";
import type { Log } from "../../log.ts";
import { isAlive } from "../../process-alive.ts";
import { isWrongPassword, probe } from "../database.ts";
import { type Cluster, serverEnvironment } from "./cluster.ts";
import { openHome, serverPath } from "./home.ts";
import { openLifeline, removeLifeline, serverLives, sharesProcessIds } from "./liveness.ts";

export type ServerOptions = {
  cluster: Cluster;
  log: Log;
  /** Settings beyond our own, as PostgreSQL names them. */
  settings?: Record<string, string>;
  /** Ends the first start; a server that it has launched stops again. */
  signal?: AbortSignal | undefined;
};

export type Server = { adopted: boolean; stop(): Promise<void> };

const retryMs = 200;
const otherContainerDeadlineMs = 10_000;
const startDeadlineMs = 30_000;
const stopDeadlineMs = 20_000;
/** How long a stop waits for sessions whose postmaster is gone: nobody can end them, and the next start waits for them. */
const orphansMs = 1_000;
const superviseMs = 250;
/** How soon a restart that keeps failing is logged again; each time twice as long, up to the second. */
const noticeMs = { first: 1_000, max: 60_000 };
const logBytesMax = 10 * 1024 * 1024;
/** What a start may need to write before anything else: one segment of the write-ahead log. */
const segmentBytes = 16 * 1024 * 1024;

/**
 * Runs PostgreSQL on a cluster until stop(). A server that a killed predecessor left running is
 * adopted; one that dies is started again. Call it while holding the cluster's lock.
 */
export async function runServer({ cluster, log, settings = {}, signal }: ServerOptions): Promise<Server> {
  const stopping = new AbortController();
  let pid = 0;
  const bringUp = (until?: AbortSignal, onWait = (_reason: string) => {}) =>
    bringUpServer({ cluster, settings, signal: until, onPid: (found) => (pid = found), onWait });
  let adopted: boolean;
  try {
    adopted = await bringUp(signal, (reason) => log.warn({ error: reason }, "postgres.waiting"));
  } catch (error) {
    // Nobody could tell it to stop later, without its password.
    if (signal?.aborted || error instanceof OtherPassword) await end();
    throw error;
  }
  let isBlind = false;
  const supervision = supervise();

  async function supervise() {
    for (;;) {
      await sleep(superviseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await keepLogSmall(cluster.logFile).catch(() => undefined);
      if (isAlive(pid) && (await seemsAlive())) continue;
      log.error({ pid }, "postgres.died");
      await restart();
    }
  }

  /** Tries until the server is back, or until stop(). */
  async function restart() {
    let nextNoticeAt = 0;
    let intervalMs = noticeMs.first;
    for (let attempts = 1; !stopping.signal.aborted; attempts += 1) {
      try {
        await bringUp(stopping.signal);
        log.warn({ pid, attempts }, "postgres.restarted");
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (performance.now() >= nextNoticeAt) {
          log.error({ error: (error as Error).message, attempts }, "postgres.restart_failed");
          nextNoticeAt = performance.now() + intervalMs;
          intervalMs = Math.min(intervalMs * 2, noticeMs.max);
        }
      }
      await sleep(superviseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** A process that is out of file descriptors cannot look; that says nothing about the server. */
  async function seemsAlive(): Promise<boolean> {
    try {
      const lives = await serverLives(cluster.home.path);
      isBlind = false;
      return lives;
    } catch (error) {
      if (!isBlind) log.warn({ error: (error as Error).message }, "postgres.not_watched");
      isBlind = true;
      return true;
    }
  }

  async function stop() {
    stopping.abort();
    await supervision;
    await end();
  }

  async function end() {
    const isStopped = await endServer(cluster, pid);
    if (isStopped) await removeLifeline(cluster.home.path);
    else log.warn({ pid }, "postgres.left_running");
  }

  return { adopted, stop };
}

/**
 * Adopts the server that lives, or launches one when none does; resolves to whether it was adopted. Tries until its deadline: a
 * predecessor may be on its way out, and the sessions of a killed postmaster live until they notice.
 */
async function bringUpServer({ cluster, settings, signal, onPid, onWait }: BringUp): Promise<boolean> {
  const deadline = Date.now() + startDeadlineMs;
  let noticeAt = Date.now() + noticeMs.first;
  const elsewhere = Date.now() + otherContainerDeadlineMs;
  for (;;) {
    try {
      const adopted = await serverLives(cluster.home.path);
      const pid = adopted ? await runningPid(cluster) : await launch(cluster, settings);
      onPid(pid);
      await waitUntilReady(cluster, pid, signal);
      return adopted;
    } catch (error) {
      signal?.throwIfAborted();
      const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
      const isStranded = error instanceof RunsElsewhere && Date.now() > elsewhere;
      const isFinal = error instanceof StoppedAtStart || error instanceof OtherPassword;
      if (isFull || isStranded || isFinal || Date.now() > deadline) throw error;
      if (Date.now() >= noticeAt) {
        noticeAt = Infinity;
        onWait((error as Error).message);
      }
      await sleep(retryMs, undefined, { signal });
    }
  }
}

type BringUp = {
  cluster: Cluster;
  settings: Record<string, string>;
  signal: AbortSignal | undefined;
  /** Called as soon as there is a postmaster, which is not ready yet. */
  onPid(pid: number): void;
  /** Called once, with what keeps the server from starting for more than a moment. */
  onWait(reason: string): void;
};

async function launch(cluster: Cluster, settings: Record<string, string>): Promise<number> {
  await removeStaleLockFiles(cluster);
  await keepLogSmall(cluster.logFile);
  const opened: FileHandle[] = [];
  const flags = Object.entries({ ...serverSettings(cluster), ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  try {
    const home = await openHome(cluster.home);
    opened.push(home);
    const lifeline = await openLifeline(cluster.home.path);
    opened.push(lifeline);
    const logFile = await open(cluster.logFile, "a", 0o600);
    opened.push(logFile);
    // Detached, so that Ctrl-C in a terminal reaches us alone and the order of shutdown is ours.
    const child = spawn(cluster.binaries.postgres, ["-D", serverPath(cluster.home, "cluster"), ...flags], {
      ...cluster.home.user,
      cwd: "/",
      detached: true,
      stdio: ["ignore", logFile.fd, logFile.fd, home.fd, lifeline.fd],
      env: serverEnvironment,
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    if (child.pid === undefined) throw new Error("PostgreSQL did not start.");
    return child.pid;
  } finally {
    await Promise.all(opened.map((file) => file.close()));
  }
}

/** A server that we can neither signal nor watch from here. */
class RunsElsewhere extends Error {}

/** PostgreSQL ended by itself. Another attempt would end the same way. */
class StoppedAtStart extends Error {
  constructor({ folder, logFile }: Cluster, lines: string, options: ErrorOptions) {
    super(
      `PostgreSQL stopped while starting on ${folder}: ${lines}. The whole log is ${logFile}. If the cluster is damaged, restore a backup into an empty data folder with \`npx waypost restore\`.`,
      options,
    );
  }
}

/** The file of the password was lost, or belongs to another cluster. */
class OtherPassword extends Error {
  constructor({ folder }: Cluster, options: ErrorOptions) {
    super(
      `The PostgreSQL of ${folder} does not take the password in the file postgres-password of the data folder. Put back the file that belongs to it, from a copy of the data folder, or restore a backup into an empty one with \`npx waypost restore\`.`,
      options,
    );
  }
}

/** On a full disk the log cannot say why PostgreSQL stopped; its last lines are then of another day. */
async function explainStop(cluster: Cluster, cause: Error): Promise<Error> {
  const { freeBytes } = await readDisk(cluster.folder);
  if (freeBytes >= segmentBytes) return new StoppedAtStart(cluster, await lastLines(cluster.logFile), { cause });
  const message = `PostgreSQL stopped while starting, with ${freeBytes} bytes left on the disk of ${cluster.folder}`;
  return Object.assign(new Error(message, { cause }), { code: "ENOSPC" });
}

function serverSettings(cluster: Cluster): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: serverPath(cluster.home, "run"),
    unix_socket_permissions: "0700",
    max_connections: "200",
    shared_buffers: "256MB",
    log_min_messages: "warning",
    timezone: "UTC",
  };
}

async function waitUntilReady(cluster: Cluster, pid: number, signal: AbortSignal | undefined) {
  const deadline = Date.now() + startDeadlineMs;
  for (;;) {
    const error = await probe(cluster.connection);
    if (!error) return;
    if (isWrongPassword(error)) throw new OtherPassword(cluster, { cause: error });
    if (!isAlive(pid)) throw await explainStop(cluster, error);
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL was not ready after ${startDeadlineMs / 1000} s: ${error.message}`, { cause: error });
    await sleep(20, undefined, { signal });
  }
}

/** Ends the server; false when one of its processes is still there at the deadline. */
async function endServer({ home }: Cluster, pid: number): Promise<boolean> {
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (pid === 0 || !trySignal(pid, signal)) return isGoneWithin(home.path, orphansMs);
    if (await isGoneWithin(home.path, stopDeadlineMs)) return true;
  }
  return false;
}

async function isGoneWithin(home: string, deadlineMs: number): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  while (Date.now() < deadline) {
    if (!(await serverLives(home))) return true;
    await sleep(10);
  }
  return false;
}

function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** The postmaster of the server that lives on this cluster. */
async function runningPid({ folder, home }: Cluster): Promise<number> {
  if (!(await sharesProcessIds(home.path))) {
    throw new RunsElsewhere(
      `A PostgreSQL that a killed service left behind in another container still runs on ${folder}. Stop that container, then start again.`,
    );
  }
  const pid = Number.parseInt(await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => ""), 10);
  if (!(pid > 0) || !isAlive(pid) || !(await isServing(pid, folder))) {
    throw new Error(`A PostgreSQL that is starting or stopping still has ${folder} open. Try again in a minute.`);
  }
  return pid;
}

/**
 * Nothing that we started lives, so the process id in the lock files is stale unless somebody else runs this cluster.
 * PostgreSQL would take a stranger's, or that of a dead process whose parent has not noticed yet, for a server.
 */
async function removeStaleLockFiles({ folder, home }: Cluster) {
  const path = join(folder, "postmaster.pid");
  const pid = Number.parseInt(await readFile(path, "utf8").catch(() => ""), 10);
  if (pid > 0 && isAlive(pid) && (await isServing(pid, folder))) {
    throw new Error(`Process ${pid} runs on ${folder}, and Waypost did not start it. Stop it first.`);
  }
  await rm(path, { force: true });
  await rm(join(home.path, "run", ".s.PGSQL.5432.lock"), { force: true });
}

/** A process id may have passed to a stranger since it was recorded. */
async function isServing(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(folder)]);
  return theirs?.ino === ours.ino && theirs.dev === ours.dev;
}

async function keepLogSmall(path: string) {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > logBytesMax) await truncate(path);
}

async function lastLines(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trim().split("\n").slice(-5).join(" | ") || "it wrote no log";
}
