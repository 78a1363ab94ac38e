import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

export type SystemUser = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root, so under root it runs as `nobody`. Under anybody else it
 * runs as that user, and this resolves to undefined.
 */
export async function unprivilegedUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const passwd = await readFile("/etc/passwd", "utf8");
  const [, , uid, gid] = passwd.match(/^nobody:.*$/m)?.[0].split(":") ?? [];
  if (!uid || !gid) {
    throw new Error(
      "Started as root, and there is no user `nobody` to run PostgreSQL as. Start Waypost as an ordinary user, or set DATABASE_URL.",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether the user may pass through every folder above a path. `/root`, for one, lets nobody in. */
export async function canReach(user: SystemUser, path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const enter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & enter) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
