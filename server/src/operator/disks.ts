import { stat } from "node:fs/promises";
import { join } from "node:path";
import { diskBytesLow, diskBytesMin, diskFilesLow, diskFilesMin, type DiskSpace, readDisk } from "../platform/disk.ts";

/** A disk that the service writes to, by what lies on it. */
export type Disk = DiskSpace & { of: "data folder" | "exports" };

/** The disk of the data folder, and that of the exports where it is another one. */
export async function readDisks(dataFolder: string, read: typeof readDisk = readDisk): Promise<Disk[]> {
  const exports = join(dataFolder, "exports");
  const disks: Disk[] = [{ of: "data folder", ...(await read(dataFolder)) }];
  const [ours, theirs] = await Promise.all([deviceOf(dataFolder), deviceOf(exports)]);
  if (theirs !== undefined && theirs !== ours) disks.push({ of: "exports", ...(await read(exports)) });
  return disks;
}

async function deviceOf(folder: string): Promise<number | undefined> {
  return (await stat(folder).catch(() => undefined))?.dev;
}

/** Whether a disk has room, and what it has. */
export function judgeDisk({ of, freeBytes, freeFiles }: Disk): { state: "ok" | "warning" | "problem"; says: string } {
  const name = `the disk of the ${of}`;
  const space = `${name} has ${Math.floor(freeBytes / 1024 / 1024)} MiB left`;
  const files = `${name} has room for ${freeFiles} more files`;
  if (freeBytes < diskBytesMin) return { state: "problem", says: space };
  if (freeFiles !== undefined && freeFiles < diskFilesMin) return { state: "problem", says: files };
  if (freeFiles !== undefined && freeFiles < diskFilesLow) return { state: "warning", says: files };
  return { state: freeBytes < diskBytesLow ? "warning" : "ok", says: space };
}
