import { createHash, randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readOrCreateSecret } from "../../crypto/secret-file.ts";
import type { Connection } from "../database.ts";
import { type Binaries, findBinaries, makeSharedPath } from "./binaries.ts";
import { canReach, type SystemUser, unprivilegedUser } from "./system-user.ts";

const run = promisify(execFile);

/** A PostgreSQL data folder of ours, whether or not a server runs on it just now. */
export type Cluster = {
  folder: string;
  home: string;
  logFile: string;
  user: SystemUser | undefined;
  binaries: Binaries;
  connection: Extract<Connection, { socketFolder: string }>;
};

const initdbDeadlineMs = 60_000;
// sun_path holds 108 bytes with its end mark.
const socketPathMax = 107;
const socketName = ".s.PGSQL.5432";

/**
 * The cluster inside a data folder, made by initdb the first time:
 *
 *     <data>/postgres/cluster    PostgreSQL's own files
 *     <data>/postgres/run        the Unix socket
 *     <data>/postgres-password   0600
 *     <data>/postgres.log
 *
 * Call it while holding the folder's lock. Killed half-way, it leaves a draft that the next call
 * removes.
 */
export async function openCluster(dataFolder: string): Promise<Cluster> {
  const user = await unprivilegedUser();
  const binaries = await findBinaries(user);
  const home = await makeHome(dataFolder, user);
  const folder = join(home, "cluster");
  const password = await readOrCreateSecret(join(dataFolder, "postgres-password"), () =>
    randomBytes(24).toString("base64url"),
  );
  await initialize({ home, folder, password, user, binaries });
  await refuseOtherMajor(folder, binaries);
  return {
    folder,
    home,
    logFile: join(dataFolder, "postgres.log"),
    user,
    binaries,
    connection: { socketFolder: await makeSocketFolder(home, user), user: "waypost", password, database: "postgres" },
  };
}

/** How to reach the server that another process runs on this data folder. */
export async function clusterConnection(dataFolder: string): Promise<Cluster["connection"]> {
  const home = await realpath(join(dataFolder, "postgres"));
  const password = (await readFile(join(dataFolder, "postgres-password"), "utf8")).trim();
  return { socketFolder: socketFolderOf(home), user: "waypost", password, database: "postgres" };
}

async function makeHome(dataFolder: string, user: SystemUser | undefined): Promise<string> {
  const path = join(dataFolder, "postgres");
  const known = await lstat(path).catch(() => undefined);
  if (!known) {
    if (user && !(await canReach(user, path))) {
      // The link is the only pointer, so that removing the data folder starts afresh.
      const elsewhere = await makeSharedPath(`data-${randomBytes(6).toString("hex")}`);
      await makeFolder(elsewhere, user);
      await symlink(elsewhere, path);
    } else {
      await makeFolder(path, user);
    }
  }
  const home = await realpath(path);
  for (const name of await readdir(home)) {
    if (name.startsWith("draft-")) await rm(join(home, name), { recursive: true, force: true });
  }
  return home;
}

async function makeSocketFolder(home: string, user: SystemUser | undefined): Promise<string> {
  const folder = socketFolderOf(home);
  await makeFolder(folder, user);
  return folder;
}

function socketFolderOf(home: string): string {
  const beside = join(home, "run");
  if (Buffer.byteLength(join(beside, socketName)) <= socketPathMax) return beside;
  return join(tmpdir(), `waypost-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`);
}

async function makeFolder(folder: string, user: SystemUser | undefined) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
}

type Initialization = {
  home: string;
  folder: string;
  password: string;
  user: SystemUser | undefined;
  binaries: Binaries;
};

async function initialize({ home, folder, password, user, binaries }: Initialization) {
  if (await lstat(folder).catch(() => undefined)) return;
  const draft = join(home, `draft-${process.pid}`);
  const passwordFile = join(home, `draft-${process.pid}-password`);
  await makeFolder(draft, user);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  const flags = [
    ["-D", draft],
    ["-U", "waypost"],
    [`--pwfile=${passwordFile}`],
    ["--auth=scram-sha-256"],
    ["--encoding=UTF8"],
    ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    ["--no-instructions"],
  ].flat();
  await run(binaries.initdb, flags, {
    ...user,
    cwd: home,
    timeout: initdbDeadlineMs,
    killSignal: "SIGKILL",
    env: serverEnvironment,
  });
  await rm(passwordFile);
  await rename(draft, folder);
}

async function refuseOtherMajor(folder: string, binaries: Binaries) {
  const made = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  const ours = binaries.version.split(".")[0];
  if (made === ours) return;
  throw new Error(
    `${folder} was made by PostgreSQL ${made} and this Waypost brings PostgreSQL ${ours}. Dump it with the old version and restore it into a new data folder, or set DATABASE_URL.`,
  );
}

/** Nothing of our own environment reaches PostgreSQL: its behavior is what its settings say. */
export const serverEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
