import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** A third of the processor time that a program of the usual priority gets beside it. */
const lowerBy = 5;

/**
 * Lets the service of this machine go first: an import may take longer where a search may not wait for it. Threads
 * and sessions of the database that start later follow.
 */
export function yieldToServices(): void {
  const priority = Math.min(19, getPriority() + lowerBy);
  for (const thread of listThreads()) {
    try {
      setPriority(thread, priority);
    } catch {
      // A system that refuses lets the command run like any other.
    }
  }
}

/** On Linux each thread has a priority of its own, and the engine's helpers have started by now. */
function listThreads(): number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [process.pid];
  }
}
