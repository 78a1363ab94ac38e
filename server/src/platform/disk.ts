import { statfs } from "node:fs/promises";

/** Below this a PostgreSQL in the data folder is about to stop. */
export const diskBytesMin = 64 * 1024 * 1024;
/** Below this an operator should act. */
export const diskBytesLow = 1024 * 1024 * 1024;

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** The space on the disk of a folder, as the user of this process may use it. */
export async function readDisk(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
