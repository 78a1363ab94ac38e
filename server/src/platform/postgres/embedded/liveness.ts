import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Whether any process of a cluster's PostgreSQL lives, in whichever container.
 *
 * The postmaster is born with the read end of the named pipe `alive` and hands it to every session
 * it forks. Opening the write end fails with ENXIO once the last of them is gone. A process id would
 * say nothing outside its pid namespace, and PostgreSQL's own check is fooled there: it takes the
 * process id in postmaster.pid for a stranger's and runs recovery on a cluster that is in use.
 */
export async function serverLives(home: string): Promise<boolean> {
  try {
    const pipe = await open(join(home, "alive"), constants.O_WRONLY | constants.O_NONBLOCK);
    await pipe.close();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENXIO" || code === "ENOENT") return false;
    throw error;
  }
}

/** The read end for a server that is about to be launched here. Close it after the launch. */
export async function openLifeline(home: string): Promise<FileHandle> {
  const path = join(home, "alive");
  const known = await lstat(path).catch(() => undefined);
  if (known && !known.isFIFO()) await rm(path, { recursive: true });
  if (!known?.isFIFO()) {
    await run("mkfifo", ["-m", "600", path]).catch((cause: unknown) => {
      throw new Error(
        "The embedded PostgreSQL needs the command mkfifo (coreutils). Install it, or set DATABASE_URL.",
        { cause },
      );
    });
  }
  await writeFile(join(home, "launched-in"), await thisProcessSpace(), { mode: 0o600 });
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** Whether the process ids of the server that was launched last mean the same processes here. */
export async function sharesProcessIds(home: string): Promise<boolean> {
  const recorded = await readFile(join(home, "launched-in"), "utf8").catch(() => "");
  return recorded === (await thisProcessSpace());
}

/** Removes what only a running server needs, so that the folder of a stopped one holds plain files only. */
export async function removeLifeline(home: string): Promise<void> {
  await rm(join(home, "alive"), { force: true });
  await rm(join(home, "launched-in"), { force: true });
}

/** Where there is no /proc there are no pid namespaces either. */
async function thisProcessSpace(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return `${boot.trim()} ${namespace}`;
}
