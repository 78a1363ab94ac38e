import { readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { tryFileLock } from "../../file-lock.ts";

/** Who manages a cluster, as it says in a file beside the lock. */
export type Holder = { role: "service" | "command"; pid: number; host: string };

export type FolderLock = { release(): Promise<void> };

/** At most one process manages the cluster of a folder: the one that holds the lock on the file `lock` in it. */
export async function lockFolder(folder: string, role: Holder["role"]): Promise<FolderLock | Holder> {
  const lock = tryFileLock(join(folder, "lock"));
  const holderFile = join(folder, "holder");
  if (!lock) return readHolder(holderFile);
  try {
    await writeFile(holderFile, JSON.stringify({ role, pid: process.pid, host: hostname() }), { mode: 0o600 });
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    async release() {
      await rm(holderFile, { force: true });
      lock.release();
    },
  };
}

export function isLock(answer: FolderLock | Holder): answer is FolderLock {
  return "release" in answer;
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
