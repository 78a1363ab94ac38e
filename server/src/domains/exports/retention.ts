import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { firstUuidAt } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { FileStore } from "./storage/file-store.ts";
import { deleteExportsBefore, listKeptKeys, updateExpired } from "./store.ts";

const batchMax = 500;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** No attempt takes longer: what is older and unfinished belongs to a worker that died. */
const abandonedMs = 2 * hourMs;

/** Expires a batch of exports whose file was kept long enough; resolves to how many. */
export function expireExports(db: Database, now: Date): Promise<number> {
  return updateExpired(db, now, batchMax);
}

/** Deletes a batch of ended exports that are older than the installation keeps; resolves to how many. */
export function sweepExports(db: Database, now: Date, retentionDays: number): Promise<number> {
  return deleteExportsBefore(db, firstUuidAt(new Date(now.getTime() - retentionDays * dayMs)), batchMax);
}

/**
 * Removes the files that no ready export names: expired ones, and those that dead workers left
 * behind, whole or half. Resolves to how many of the storage's files went.
 */
export async function removeUnnamedFiles(db: Database, files: FileStore, now: Date): Promise<number> {
  const before = new Date(now.getTime() - abandonedMs);
  await removeAbandoned(files.workFolder, before);
  const removed = await removeOldFiles(db, files, before);
  // When no file is left to go: a bucket whose owner does not let us list uploads loses its files all the same.
  if (removed === 0) await files.storage.dropUnfinished(before);
  return removed;
}

/** Removes a batch of files; resolves to how many. */
async function removeOldFiles(db: Database, files: FileStore, before: Date): Promise<number> {
  let batch: string[] = [];
  for await (const { key, storedAt } of files.storage.list()) {
    // A young file may be one whose export is about to be ready.
    if (!isOurs(key) || storedAt >= before) continue;
    batch.push(key);
    if (batch.length < batchMax) continue;
    const removed = await removeUnnamed(db, files, batch);
    if (removed > 0) return removed; // the next batch lists from the start
    batch = [];
  }
  return removeUnnamed(db, files, batch);
}

async function removeUnnamed(db: Database, { storage }: FileStore, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const kept = await listKeptKeys(db, keys);
  const unnamed = keys.filter((key) => !kept.has(key));
  if (unnamed.length > 0) await storage.remove(unnamed);
  return unnamed.length;
}

/** Only what an export made: somebody may keep other things in the same bucket. */
function isOurs(key: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d+\.[a-z]+$/.test(key);
}

async function removeAbandoned(workFolder: string, before: Date): Promise<void> {
  for (const name of await readdir(workFolder)) {
    const path = join(workFolder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}
