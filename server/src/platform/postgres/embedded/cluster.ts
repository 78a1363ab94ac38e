import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { chown, lstat, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readOrCreateSecret } from "../../crypto/secret-file.ts";
import { syncFolder } from "../../durable-files.ts";
import type { Connection } from "../database.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { refuseLiveCopy } from "./copies.ts";
import { type Home, makeFolder, openHome, serverPath, socketFolderOf } from "./home.ts";

/** A PostgreSQL data folder of ours, whether or not a server runs on it just now. */
export type Cluster = {
  folder: string;
  home: Home;
  logFile: string;
  binaries: Binaries;
  connection: Extract<Connection, { socketFolder: string }>;
};

const initdbDeadlineMs = 60_000;
const draftRetries = 20; // some ten seconds, since each waits longer than the one before
const draftRetryMs = 50;

/**
 * The cluster inside a data folder, made by initdb the first time:
 *
 *     <data>/postgres/cluster      PostgreSQL's own files
 *     <data>/postgres/identity     the inode of that folder, by which a copy is recognized
 *     <data>/postgres/run          the Unix socket
 *     <data>/postgres/lock         locked by the process that manages the cluster, named in `holder`
 *     <data>/postgres/alive        held open by the server while it runs
 *     <data>/postgres-password     0600
 *     <data>/postgres.log
 *
 * Call it while holding the lock. Killed half-way, it leaves a draft that the next call removes.
 */
export async function openCluster(dataFolder: string, home: Home): Promise<Cluster> {
  const binaries = await findBinaries(home.user);
  await removeDrafts(home);
  const folder = join(home.path, "cluster");
  const password = await readOrCreateSecret(join(dataFolder, "postgres-password"), () =>
    randomBytes(24).toString("base64url"),
  );
  await initialize({ home, folder, password, binaries });
  await refuseOtherMajor(folder, binaries);
  await refuseLiveCopy(home.path);
  return {
    folder,
    home,
    logFile: join(dataFolder, "postgres.log"),
    binaries,
    connection: connectionOf(home.path, password),
  };
}

/** How to reach the server that another process runs on this data folder. */
export async function clusterConnection(dataFolder: string): Promise<Cluster["connection"]> {
  const home = await realpath(join(dataFolder, "postgres"));
  return connectionOf(home, (await readFile(join(dataFolder, "postgres-password"), "utf8")).trim());
}

function connectionOf(home: string, password: string): Cluster["connection"] {
  return { socketFolder: socketFolderOf(home), user: "waypost", password, database: "postgres" };
}

/** The initdb of a killed predecessor may still write into its draft; it ends once that is gone. */
async function removeDrafts({ path }: Home) {
  const options = { recursive: true, force: true, maxRetries: draftRetries, retryDelay: draftRetryMs };
  for (const name of await readdir(path)) {
    if (name.startsWith("draft-")) await rm(join(path, name), options);
  }
}

type Initialization = { home: Home; folder: string; password: string; binaries: Binaries };

async function initialize({ home, folder, password, binaries }: Initialization) {
  if (await lstat(folder).catch(() => undefined)) return;
  const { user } = home;
  const draft = `draft-${process.pid}`;
  const passwordFile = join(home.path, `${draft}-password`);
  await makeFolder(join(home.path, draft), user);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  await runInitdb(
    home,
    binaries,
    [
      ["-D", serverPath(home, draft)],
      ["-U", "waypost"],
      [`--pwfile=${serverPath(home, `${draft}-password`)}`],
      ["--auth=scram-sha-256"],
      ["--encoding=UTF8"],
      ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ["--no-instructions"],
    ].flat(),
  );
  await rm(passwordFile);
  await rm(join(home.path, "identity"), { force: true });
  await rename(join(home.path, draft), folder); // initdb has flushed what is inside
  await syncFolder(home.path);
}

async function runInitdb(home: Home, binaries: Binaries, flags: readonly string[]) {
  const descriptor = await openHome(home);
  try {
    const child = spawn(binaries.initdb, flags, {
      ...home.user,
      cwd: "/",
      timeout: initdbDeadlineMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", "ignore", "pipe", descriptor.fd],
      env: serverEnvironment,
    });
    let complaint = "";
    child.stderr?.on("data", (chunk) => (complaint += String(chunk)));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    if (code !== 0) throw failureOf(complaint);
  } finally {
    await descriptor.close();
  }
}

/** The line that says why, among those that say where. A full disk is known by its code, as in every other write. */
function failureOf(complaint: string): Error {
  const [, userId] = /could not look up effective user ID (\d+)/.exec(complaint) ?? [];
  if (userId !== undefined) {
    return new Error(
      `The embedded PostgreSQL needs a user with a name, and user id ${userId} has none on this system. Run Waypost as a user of /etc/passwd, or set DATABASE_URL.`,
    );
  }
  const lines = complaint.trim().split("\n");
  const reason = lines.find((line) => /\b(PANIC|FATAL|ERROR|error):/.test(line)) ?? lines[0];
  const failure = new Error(`PostgreSQL's initdb failed: ${reason || "it gave no reason"}`);
  return /No space left on device|wrote only \d+ of \d+ bytes/.test(complaint)
    ? Object.assign(failure, { code: "ENOSPC" })
    : failure;
}

async function refuseOtherMajor(folder: string, binaries: Binaries) {
  const made = (await readFile(join(folder, "PG_VERSION"), "utf8").catch(() => "an unknown version")).trim();
  const ours = binaries.version.split(".")[0];
  if (made === ours) return;
  throw new Error(
    `${folder} was made by PostgreSQL ${made} and this Waypost brings PostgreSQL ${ours}. Make a backup with the Waypost that made it (waypost backup) and restore it into an empty data folder with this one (waypost restore), or set DATABASE_URL.`,
  );
}

/** Nothing of our own environment reaches PostgreSQL: its behavior is what its settings say. */
export const serverEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
