import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The processors that a process may use; none where the system does not say. */
export async function listProcessors(pid: number): Promise<number[]> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
  return list.split(",").flatMap((range) => {
    const [first = NaN, last = first] = range.split("-").map(Number);
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Keeps a process with its threads, and what they start later, to these. Without `taskset` it goes on as it is. */
export async function keepTo(processors: readonly number[], pid: number): Promise<void> {
  const list = processors.join(",");
  await promisify(execFile)("taskset", ["-acp", list, String(pid)], { timeout: 5_000 }).catch(() => undefined);
}
