import { statfs } from "node:fs/promises";

/** Below this a PostgreSQL in the data folder is about to stop. */
export const diskBytesMin = 64 * 1024 * 1024;
/** Below this an operator should act. */
export const diskBytesLow = 1024 * 1024 * 1024;
/** The same for files, of which a disk may have no more although it has space. */
export const diskFilesMin = 256;
export const diskFilesLow = 10_000;

export type DiskSpace = {
  freeBytes: number;
  totalBytes: number;
  /** How many more files there may be; absent where a file system makes them as it goes. */
  freeFiles?: number;
};

/** The space on the disk of a folder, as the user of this process may use it. */
export async function readDisk(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, ...(files > 0 ? { freeFiles: ffree } : {}) };
}
