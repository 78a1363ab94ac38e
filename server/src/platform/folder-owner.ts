import { stat } from "node:fs/promises";

/**
 * Under root, takes on the identity of the user whose folder it is, for the rest of the process's
 * life: what it makes there then belongs to that user too. A folder of root's own, or one that is not
 * there yet, changes nothing.
 */
export async function actAsOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(folder).catch(() => undefined);
  if (!owner || owner.uid === 0) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}
