import { statfs } from "node:fs/promises";

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** The space on the disk of a folder, as the user of this process may use it. */
export async function readDisk(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
