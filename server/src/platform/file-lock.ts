import { DatabaseSync } from "node:sqlite";

export type FileLock = { release(): void };

const busy = 5; // SQLITE_BUSY

/**
 * Locks a file, or returns undefined while another process holds it. The lock is a POSIX record lock: the kernel keeps it
 * by inode, so it holds across users, containers and their pid and network namespaces, a copy of the folder is not locked
 * by the original's holder, and kill -9 or a power loss leaves nothing stale.
 *
 * Node has no call for such locks, but the SQLite inside Node takes one for an exclusive transaction.
 * Nothing is ever written to that file. No other code may open it in this process: POSIX drops all
 * of a process's locks on a file when any of its descriptors for that file is closed.
 */
export function tryFileLock(path: string): FileLock | undefined {
  const lock = openLock(path);
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return { release: () => lock.close() };
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
