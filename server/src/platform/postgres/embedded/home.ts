import { openSync } from "node:fs";
import { chmod, chown, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { makeFolderDurably } from "../../durable-files.ts";
import { canReach, type SystemUser, unprivilegedUser } from "./system-user.ts";

/** The folder of a data folder that PostgreSQL's files live in, as we and as the server reach it. */
export type Home = {
  path: string;
  user: SystemUser | undefined;
  /**
   * False when PostgreSQL's user may not pass through a folder above, or when the path is too long for
   * a socket. The server then gets the folder as an open descriptor, so that the data stays in the
   * data folder and no path elsewhere is needed.
   */
  hasServerPath: boolean;
};

/** The descriptor under which a server finds its home. */
export const homeDescriptor = 3;

// sun_path holds 108 bytes with its end mark.
const socketPathMax = 107;
const socketName = ".s.PGSQL.5432";

export async function makeHome(dataFolder: string): Promise<Home> {
  const user = await unprivilegedUser();
  await makeFolder(join(dataFolder, "postgres"), user);
  const path = await realpath(join(dataFolder, "postgres"));
  await makeFolder(join(path, "run"), user);
  const isReachable = !user || (await canReach(user, join(path, "cluster")));
  const hasServerPath = isReachable && fitsSocket(join(path, "run"));
  if (!hasServerPath && process.platform !== "linux") {
    throw new Error(
      `The data folder ${dataFolder} has too long a path for a Unix socket, or PostgreSQL's user cannot enter it. Set WAYPOST_DATA_DIR to a shorter one, or set DATABASE_URL.`,
    );
  }
  return { path, user, hasServerPath };
}

/** How the server names a folder of its home. */
export function serverPath({ path, hasServerPath }: Home, name: string): string {
  return join(hasServerPath ? path : `/proc/self/fd/${homeDescriptor}`, name);
}

/** The home as a descriptor for a child process. */
export function openHome({ path }: Home) {
  return open(path, "r");
}

const socketFolders = new Map<string, string>();

/** How this process names the socket's folder. A descriptor stands in for a path that is too long. */
export function socketFolderOf(path: string): string {
  const folder = join(path, "run");
  if (fitsSocket(folder)) return folder;
  // Opened once and kept for the life of the process: connections are made at any time.
  const known = socketFolders.get(folder) ?? `/proc/self/fd/${openSync(folder, "r")}`;
  socketFolders.set(folder, known);
  return known;
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= socketPathMax;
}

export async function makeFolder(folder: string, user: SystemUser | undefined) {
  await makeFolderDurably(folder, 0o700);
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
}
