import { readdir, readFile } from "node:fs/promises";

export type Usage = { processorMs: number; bytes: number };

const ticksPerSecond = 100;

/**
 * Processor and memory of processes and all that they started, as Linux counts them. Of memory what they have made
 * themselves and what they share; not the pages of files.
 */
export async function usageOf(roots: readonly number[]): Promise<Usage> {
  const total: Usage = { processorMs: 0, bytes: 0 };
  const parents = await readParents();
  for (const [pid, { ticks }] of parents) {
    if (!isOf(pid, roots, parents)) continue;
    total.processorMs += (ticks * 1_000) / ticksPerSecond;
    total.bytes += await bytesOf(pid);
  }
  return total;
}

type Process = { parent: number; ticks: number };

async function readParents(): Promise<Map<number, Process>> {
  const found = new Map<number, Process>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // After the name, which may hold anything: state, parent, and from the twelfth on its ticks and those of its dead.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
    if (text !== "") found.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  return found;
}

function isOf(pid: number, roots: readonly number[], parents: ReadonlyMap<number, Process>): boolean {
  for (let at = pid; at > 1; at = parents.get(at)?.parent ?? 0) if (roots.includes(at)) return true;
  return false;
}

async function bytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const kilobytes = Array.from(text.matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm), ([, value]) => Number(value));
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1_024;
}
