import { randomUUID } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { readDisk } from "./disk.ts";
import { makeFolder } from "./folders.ts";

type ScratchFileOptions = {
  folder: string;
  /** The oldest bytes give way to more. */
  bytesMax: number;
  /** Once reads take longer on the average of the last ones, there are none for a while. */
  slowMs?: number;
  freeBytes?: () => Promise<number>;
};

/** Weight of a new sample in the moving average. */
const weight = 1 / 64;
/** Whether there is room is looked at each time it has grown by so much. */
const roomBytes = 16 * 1024 * 1024;
/** The most it takes of what the disk would have free without it. */
const freeShare = 1 / 4;
/** After a failure or a slow read, for so long nothing is written or read. */
const restMs = 60_000;

/**
 * A file of this process alone, for what can be read elsewhere too, only slower. It has no name once it is open, so that
 * nothing is left of it when the process ends, however that happens. Reads are synchronous: what was written lately is in
 * the memory of the operating system, where a read takes a few microseconds, and a disk that answers late is let alone.
 */
export function createScratchFile(options: ScratchFileOptions) {
  const { folder, bytesMax, slowMs = 5, freeBytes = async () => (await readDisk(folder)).freeBytes } = options;
  let opening: Promise<FileHandle> | undefined;
  let file: FileHandle | undefined;
  /** Positions only grow; a byte lies at its position modulo the most there may be. */
  let end = 0;
  /** Where the first one lies since all was forgotten. */
  let start = 0;
  let grown = 0;
  let room = 0;
  let restsUntil = 0;
  let averageMs = 0;

  /** Resolves to the position of these bytes; undefined when there is no room for them. */
  async function append(bytes: Uint8Array): Promise<number | undefined> {
    if (bytes.length > bytesMax || isResting()) return undefined;
    try {
      file = await (opening ??= openNameless(folder));
      if (!isFull() && grown + bytes.length > room && !(await makeRoom(bytes.length))) return undefined;
      const position = reserve(bytes.length);
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, position % bytesMax);
      if (bytesWritten < bytes.length) throw new Error("The disk took only a part.");
      return position;
    } catch {
      await forget();
      return undefined;
    }
  }

  /** Whether the disk has room for so much more; if so, for some of what follows too. */
  async function makeRoom(length: number): Promise<boolean> {
    const wanted = Math.min(bytesMax, grown + Math.max(length, roomBytes));
    const mayGrow = wanted <= ((await freeBytes()) + grown) * freeShare;
    if (mayGrow) room = wanted;
    else rest();
    return mayGrow;
  }

  function reserve(length: number): number {
    const left = bytesMax - (end % bytesMax);
    const position = length > left ? end + left : end;
    end = position + length;
    grown = Math.max(grown, (position % bytesMax) + length);
    return position;
  }

  /** Whether what lies at a position is still there. */
  function has(position: number): boolean {
    return file !== undefined && end <= position + bytesMax;
  }

  /** Fills the target with what lies at a position, within what was appended at once, or says that it cannot. */
  function read(position: number, target: Uint8Array): boolean {
    if (!file || !has(position) || isResting()) return false;
    const startedAt = performance.now();
    try {
      return readSync(file.fd, target, 0, target.length, position % bytesMax) === target.length;
    } catch {
      return false;
    } finally {
      averageMs += (performance.now() - startedAt - averageMs) * weight;
      if (averageMs > slowMs) rest();
    }
  }

  function isResting(): boolean {
    return performance.now() < restsUntil;
  }

  function rest() {
    restsUntil = performance.now() + restMs;
    averageMs = 0;
  }

  /** Gives the disk back what it holds. */
  async function forget() {
    rest();
    start = end = (Math.ceil(end / bytesMax) + 1) * bytesMax;
    grown = 0;
    room = 0;
    if (!file) opening = undefined;
    await file?.truncate().catch(() => undefined);
  }

  async function close() {
    const opened = file;
    file = undefined;
    restsUntil = Infinity;
    await opened?.close();
  }

  /** Whether more takes the place of something. */
  function isFull(): boolean {
    return end - start > bytesMax;
  }

  return { append, has, read, isFull, close, bytes: () => grown };
}

export type ScratchFile = ReturnType<typeof createScratchFile>;

async function openNameless(folder: string): Promise<FileHandle> {
  await makeFolder(folder, 0o700);
  const path = join(folder, `scratch-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await rm(path);
  return file;
}
