import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those that it lies in. Not by Node's own `recursive`: where a file system takes no folders, as
 * /proc does not, that tries again for ever, at full processor. Resolves to the first that it made.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await isFolder(path))) return undefined;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path) throw error;
    const first = (await isFolder(parent)) ? undefined : await makeFolder(parent, mode);
    await makeInside(path, mode);
    return first ?? path;
  }
}

async function makeInside(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Others may have made it meanwhile.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" || !(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
