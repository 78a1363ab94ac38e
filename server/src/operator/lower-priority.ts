import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { keepTo, listProcessors, setSessionPriority } from "../platform/processors.ts";

/** A third of the processor time that a program of the usual priority gets beside it. */
const lowerBy = 5;
const lowest = 19;

/**
 * Lowers the priority of this process, to the lowest beside a service: an import may take longer, a search may not wait
 * for it. Beside a service it also leaves one processor free, because a search waits milliseconds for a busy one at any
 * priority. Threads and database sessions that start later inherit both.
 */
export async function lowerPriority({ isServedHere }: { isServedHere: boolean }): Promise<void> {
  const priority = isServedHere ? lowest : Math.min(lowest, getPriority() + lowerBy);
  for (const thread of listThreads()) {
    try {
      setPriority(thread, priority);
    } catch {
      // A system that refuses lets the command run like any other.
    }
  }
  if (!isServedHere) return;
  yieldGroup();
  const [, ...others] = await listProcessors(process.pid);
  if (others.length > 0) await keepTo(others, process.pid);
}

/** On Linux each thread has its own priority, and V8's threads have started by now. */
function listThreads(): number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [process.pid];
  }
}

/**
 * Linux may share processors among terminals first, and by priority only within one. Where the command has a terminal
 * for itself and the programs that started it, its priority is lowered until the command ends.
 */
function yieldGroup(): void {
  try {
    const [, before] = / nice (-?\d+)$/m.exec(readFileSync("/proc/self/autogroup", "utf8")) ?? [];
    if (before === undefined || !isAloneInSession()) return;
    setSessionPriority("self", lowest);
    process.once("exit", () => setSessionPriority("self", Number(before)));
  } catch {
    // The system has no such groups.
  }
}

/** Whether all other programs of the session wait for this one: a shell, npm. */
function isAloneInSession(): boolean {
  const processes = new Map(listProcesses().map((each) => [each.pid, each]));
  const session = processes.get(process.pid)?.session;
  const waiting = new Set<number>();
  for (let at = processes.get(process.pid); at; at = processes.get(at.parent)) waiting.add(at.pid);
  return [...processes.values()].every((each) => each.session !== session || waiting.has(each.pid));
}

function listProcesses(): { pid: number; parent: number; session: number }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name of a program stands in parentheses, and may have some itself.
      const [, parent, , session] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return [{ pid: Number(name), parent: Number(parent), session: Number(session) }];
    } catch {
      return []; // it has ended
    }
  });
}
