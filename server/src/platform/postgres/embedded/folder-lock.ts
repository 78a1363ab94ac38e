import { readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Who manages a cluster, as it says in a file beside the lock. */
export type Holder = { role: "service" | "command"; pid: number; host: string };

export type FolderLock = { release(): Promise<void> };

const busy = 5; // SQLITE_BUSY

/**
 * At most one process manages the cluster of a folder. The lock is a POSIX record lock on the file
 * `lock` in that folder: the kernel keeps it by inode, so it holds across users, containers and
 * their pid and network namespaces, a copy of the folder is not locked by the original's holder,
 * and kill -9 or a power loss leaves nothing stale.
 *
 * Node has no call for such locks, but the SQLite inside Node takes one for an exclusive transaction.
 * Nothing is ever written to that file. No other code may open it in this process: POSIX drops all
 * of a process's locks on a file when any of its descriptors for that file is closed.
 */
export async function lockFolder(folder: string, role: Holder["role"]): Promise<FolderLock | Holder> {
  const lock = takeLock(join(folder, "lock"));
  const holderFile = join(folder, "holder");
  if (!lock) return readHolder(holderFile);
  try {
    await writeFile(holderFile, JSON.stringify({ role, pid: process.pid, host: hostname() }), { mode: 0o600 });
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    async release() {
      await rm(holderFile, { force: true });
      lock.close();
    },
  };
}

export function isLock(answer: FolderLock | Holder): answer is FolderLock {
  return "release" in answer;
}

function takeLock(path: string): DatabaseSync | undefined {
  const lock = openLock(path);
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === busy) return undefined;
    throw error;
  }
}

function openLock(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (cause) {
    throw Object.assign(new Error(`${path} cannot be opened`, { cause }), { code: "EACCES", path });
  }
}

async function readHolder(path: string): Promise<Holder> {
  // The holder may not have written it yet, or may have removed it already.
  const text = await readFile(path, "utf8").catch(() => "");
  try {
    return JSON.parse(text) as Holder; // written by lockFolder above, in whichever process it ran
  } catch {
    return { role: "command", pid: 0, host: "" };
  }
}
