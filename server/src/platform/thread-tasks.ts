import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

/** A third of the processor time that a thread of the usual priority gets beside it. */
const lowerBy = 5;
const lowest = 19;

/** The body of a thread of a pool: answers one task after the other. What throws ends the thread. */
export function serveTasks<Task, Answer>(answer: (task: Task) => Answer): void {
  parentPort?.on("message", (task: Task) => parentPort?.postMessage(answer(task), []));
  parentPort?.postMessage("ready", []);
}

/**
 * Lets the thread that answers everybody go first where processors are short. Only Linux has a priority for each thread:
 * elsewhere this one's is that of the process.
 */
export function letOthersGoFirst(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Math.min(lowest, getPriority() + lowerBy));
  } catch {
    // The system refuses: the thread runs like any other.
  }
}
