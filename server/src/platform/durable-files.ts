import { randomBytes } from "node:crypto";
import { link, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "./folders.ts";

/**
 * Puts a whole file in its place, readable by its owner only, so that it survives a power cut: a reader finds the old
 * content or the new, never a part. It resolves when the content and the name are on the disk.
 */
export async function writeDurably(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** The same for a file that is made once; one that somebody else made first stays. */
export async function createDurably(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await link(draft, path); // link fails where rename would overwrite
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
  await syncFolder(dirname(path));
}

/** Makes a folder and the missing ones above it. */
export async function makeFolderDurably(path: string, mode?: number): Promise<void> {
  const first = await makeFolder(path, mode);
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let folder = resolve(path); folder !== top;) {
    folder = dirname(folder);
    await syncFolder(folder);
  }
}

/** Makes what was named, renamed or removed in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await sync(folder);
  } catch (error) {
    // Some file systems cannot flush a folder, and one that may be entered need not be readable: PostgreSQL goes on there too.
    if (!["EINVAL", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** The same for everything in a folder, which somebody else wrote. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) await sync(path);
    if (entry.isDirectory()) await syncFolder(path);
  }
  await syncFolder(folder);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeDraft(path: string, content: string): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}
