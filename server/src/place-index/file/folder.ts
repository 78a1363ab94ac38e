import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Identity } from "../index-file.ts";

/** A build that is not done: its file, and the catalog as it was when the build began. */
export type Draft = { name: string; began: Identity };

/** How the disk of a folder answers. */
type FileSystem = { type: number; bavail: number; bsize: number };

export type IndexFolder = ReturnType<typeof openIndexFolder>;

type Settings = { indexFolder: string | undefined; dataFolder: string };

/** Where the settings put the folder. */
export const indexPathOf = ({ indexFolder, dataFolder }: Settings) => indexFolder ?? join(dataFolder, "index");

/** Where the lock of the process that follows is. Only tryFileLock opens it. */
export const lockPath = (folder: string) => join(folder, "lock");

/** A file of a build has a name that no other ever has: SQLite would read a `-wal` left of an old file into a new one. */
const namePattern = /^index-[0-9a-f]{16}\.sqlite$/;
const madeOfFile = /^(index-[0-9a-f]{16}\.sqlite)(-wal|-shm|-journal|\.damaged)?$/;

/**
 * The folder of the place index, which all processes of a machine share. `current` names the file that searches read, and
 * `draft` the one that is being built. No code opens a file of SQLite, its `-shm` or the lock in another way than through
 * SQLite: POSIX drops all of a process's locks on a file when any of its descriptors for that file is closed.
 */
export function openIndexFolder(path: string, readFileSystem: (path: string) => FileSystem = statfsSync) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  refuseShared(path, readFileSystem(path).type);
  makeLockFile(lockPath(path));
  const currentPath = join(path, "current");
  const draftPath = join(path, "draft");
  const pathOf = (name: string) => join(path, name);
  const markOf = (name: string) => pathOf(`${name}.damaged`);

  /** The name of the file that searches read. */
  function current(): string | undefined {
    const name = read(currentPath)?.trim();
    return name !== undefined && namePattern.test(name) ? name : undefined;
  }

  function draft(): Draft | undefined {
    const text = read(draftPath);
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Draft); // setDraft wrote it
    } catch {
      return undefined;
    }
  }

  /** After a power cut the file is the old one or the new one. */
  function replaceDurably(target: string, text: string): void {
    const next = `${target}.next`;
    const file = openSync(next, "w", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, target);
    syncFolder(path);
  }

  /** Deletes the files of former builds. Who reads one goes on, and its space is free when the last has closed it. */
  function deleteAllBut(kept: readonly (string | undefined)[]): void {
    // The shortest names come first, the files themselves: opened without its -wal one would show an older state.
    const entries = readdirSync(path).toSorted((one, other) => one.length - other.length);
    for (const entry of entries) {
      const [, name] = madeOfFile.exec(entry) ?? [];
      if (name !== undefined && !kept.includes(name)) rmSync(pathOf(entry), { force: true });
    }
  }

  return {
    path,
    pathOf,
    current,
    draft,
    newName: () => `index-${randomBytes(8).toString("hex")}.sqlite`,
    setCurrent: (name: string) => replaceDurably(currentPath, `${name}\n`),
    removeCurrent: () => rmSync(currentPath, { force: true }),
    setDraft: (value: Draft) => replaceDurably(draftPath, JSON.stringify(value)),
    removeDraft: () => rmSync(draftPath, { force: true }),
    deleteAllBut,
    /** Says to the process that follows that a search met damage. */
    markDamaged: (name: string) => writeFileSync(markOf(name), "", { mode: 0o600 }),
    isDamaged: (name: string) => existsSync(markOf(name)),
    /** Another number than before: somebody replaced the file. Undefined: it is gone. */
    inode: (name: string) => statSync(pathOf(name), { throwIfNoEntry: false })?.ino,
    bytes: (name: string) => sizeOf(pathOf(name)),
    walBytes: (name: string) => sizeOf(pathOf(`${name}-wal`)),
    freeBytes() {
      const { bavail, bsize } = readFileSystem(path);
      return bavail * bsize;
    },
    takesWrites: () => isWritable(path),
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** One that is there is not opened. */
function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** File systems that several kernels share, by the number that Linux gives them. */
const sharedTypes = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
  [0x0bd00bd0, "Lustre"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
]);

function refuseShared(path: string, type: number): void {
  const name = sharedTypes.get(type >>> 0);
  if (name === undefined) return;
  throw new Error(
    `The place index cannot be in ${path}: that is ${name}, which several machines share. Set WAYPOST_INDEX_DIR to a folder on a disk of this machine.`,
  );
}
