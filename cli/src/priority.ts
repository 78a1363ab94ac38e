import { getPriority, setPriority } from "node:os";

/** A third of the processor time that a program of the usual priority gets beside it. */
const lowerBy = 5;

/**
 * Lets the service of this machine go first: an import may take longer where a search may not wait for it. Threads
 * that start later inherit it.
 */
export function yieldToServices(): void {
  try {
    setPriority(Math.min(19, getPriority() + lowerBy));
  } catch {
    // A system that refuses lets the command run like any other.
  }
}
