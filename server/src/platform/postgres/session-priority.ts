import { readFile } from "node:fs/promises";
import { getPriority, setPriority } from "node:os";
import { keepTo, listProcessors, setSessionPriority } from "../processors.ts";

/**
 * Lowers the priority of a session to that of the process it works for, and keeps it to the same processors, where a
 * Unix socket leads to its server, so that both are on one machine. Elsewhere, and where the system refuses, it stays
 * as it is.
 */
export async function lowerSession(
  { host, pid }: { host: string; pid: number },
  priority = getPriority(),
): Promise<void> {
  if (!host.startsWith("/") || !(await isSession(pid))) return;
  const [own, its] = await Promise.all([process.pid, pid].map(listProcessors));
  if (own && its && own.length < its.length) await keepTo(own, pid);
  try {
    if (getPriority(pid) >= priority) return;
    setPriority(pid, priority);
    setSessionPriority(pid, priority); // each session of the database is one of the system too
  } catch {
    // The server belongs to another user, the session has ended, or the system refuses.
  }
}

/** A server in another container counts its processes otherwise: the same number may be a stranger here. */
async function isSession(pid: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return title.startsWith("postgres: ");
}
