import { parentPort } from "node:worker_threads";

/** The body of a thread of a pool: answers one task after the other. What throws ends the thread. */
export function serveTasks<Task, Answer>(answer: (task: Task) => Answer): void {
  parentPort?.on("message", (task: Task) => parentPort?.postMessage(answer(task), []));
  parentPort?.postMessage("ready", []);
}
