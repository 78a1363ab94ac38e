import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
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

/**
 * Linux may share processors among sessions first, and only within one by priority; this gives the session of a process a
 * priority of its own, where there is such a thing. Of users other than root it takes one in a tenth of a second.
 */
export function setSessionPriority(pid: number | "self", priority: number): void {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      return writeFileSync(`/proc/${pid}/autogroup`, String(priority));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
