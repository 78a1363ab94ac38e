import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../durable-files.ts";

/** The first two states of `pg_control`: shut down, and shut down while recovering. */
const cleanStates = new Set([1, 2]);
const stateOffset = 16;

/**
 * Refuses a cluster that was copied while its server ran: such a copy mixes pages of different
 * moments, and recovery cannot tell. Each cluster records its folder's inode; a copy has another.
 * A copy that was taken after a clean stop is whole, and becomes a cluster of its own.
 */
export async function refuseLiveCopy(home: string): Promise<void> {
  const cluster = join(home, "cluster");
  const path = join(home, "identity");
  const { ino } = await stat(cluster, { bigint: true });
  const recorded = (await readFile(path, "utf8").catch(() => "")).trim();
  if (recorded === String(ino)) return;
  // An empty one was cut short by a power cut, under a version that did not flush it.
  if (recorded !== "" && !cleanStates.has(await readState(cluster))) {
    throw new Error(
      `${cluster} is a copy that was taken while its PostgreSQL was running, so it may be torn. Copy the data folder of a stopped service, or use \`npx waypost backup\` and \`npx waypost restore\`. If it comes from an atomic snapshot of a whole file system, remove ${path} and start again.`,
    );
  }
  await writeDurably(path, `${ino}\n`);
}

async function readState(cluster: string): Promise<number> {
  const file = await open(join(cluster, "global", "pg_control")).catch((cause: unknown) => {
    throw new Error(damaged(cluster), { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, stateOffset);
    if (bytesRead < 4) throw new Error(damaged(cluster));
    return buffer.readUInt32LE();
  } finally {
    await file.close();
  }
}

function damaged(cluster: string): string {
  return `${cluster} is damaged: global/pg_control is missing or cut short. Restore a backup into an empty data folder with \`npx waypost restore\`.`;
}
