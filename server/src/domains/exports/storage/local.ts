import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileHandle } from "node:fs/promises";
import { syncFolder } from "../../../platform/durable-files.ts";
import { fileErrorCode, type Storage, StorageFailed } from "./storage.ts";

/**
 * A folder of this machine, or a volume that several share. `id` tells folders apart: a process that
 * finds another id on a file knows that the file is on another machine.
 */
export function createLocalStorage({ folder, id }: { folder: string; id: string }): Storage {
  return {
    name: `local:${id}`,
    put: (key, path) =>
      guarded(async () => {
        await rename(path, join(folder, key));
        await syncFolder(folder);
      }),
    read: (key, { start, end }) =>
      guarded(async () => {
        // Opened before anything is answered: a file that is gone or short must not become half an answer.
        const file = await openIfThere(join(folder, key));
        if (!file) return undefined;
        const { size } = await file.stat();
        if (size > end) return file.createReadStream({ start, end });
        await file.close();
        throw new Error(`the file ends after ${size} bytes, and byte ${end} of it is wanted`);
      }),
    remove: (keys) =>
      guarded(async () => {
        for (const key of keys) await rm(join(folder, key), { force: true });
      }),
    async *list() {
      for (const key of await guarded(() => readdir(folder))) {
        const found = await stat(join(folder, key)).catch(() => undefined);
        if (found) yield { key, storedAt: found.mtime };
      }
    },
    async dropUnfinished() {
      // A rename is done or not done: there is nothing in between.
    },
  };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new StorageFailed(error, fileErrorCode((error as NodeJS.ErrnoException).code));
  }
}
