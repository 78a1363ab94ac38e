import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

type RecentBlocksOptions = { file: string; writeEveryMs?: number };

const cellsMax = 1_024;

/** Keeps in a small file which blocks searches used lately, so that the next process reads them before they are missed. */
export function createRecentBlocks({ file, writeEveryMs = 60_000 }: RecentBlocksOptions) {
  let writtenAt = performance.now();

  /** Writes now and then; a list that could not be written costs the next start its head start, and nothing else. */
  function note(listCells: (limit: number) => readonly number[]) {
    const now = performance.now();
    if (now - writtenAt < writeEveryMs) return;
    writtenAt = now;
    void write(listCells(cellsMax)).catch(() => undefined);
  }

  async function write(cells: readonly number[]) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify(cells), { mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Empty when there is no such list, or none that can be read. */
  async function read(): Promise<number[]> {
    try {
      const cells: unknown = JSON.parse(await readFile(file, "utf8"));
      return Array.isArray(cells) ? cells.filter((cell) => Number.isInteger(cell)).slice(0, cellsMax) : [];
    } catch {
      return [];
    }
  }

  return { note, read };
}

export type RecentBlocks = ReturnType<typeof createRecentBlocks>;
