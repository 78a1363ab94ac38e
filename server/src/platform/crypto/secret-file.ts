import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";

/**
 * A secret kept in a file that only its owner may read, made when it is first read.
 * Several processes may ask at once: all get the one that was there first.
 */
export async function readOrCreateSecret(path: string, make: () => string): Promise<string> {
  const known = await readSecret(path);
  if (known !== undefined) return known;

  // Written whole under another name, then linked: link fails where rename would overwrite.
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
  const made = await readSecret(path);
  if (made === undefined) throw new Error(`${path} vanished while it was being made.`);
  return made;
}

/** Puts another secret in a file's place: a reader sees the old one or the new one, whole. */
export async function replaceSecret(path: string, secret: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== "EISDIR") throw error;
    throw new Error(
      `${path} is a folder, and must be a file with a secret. Container engines make one where a file to be mounted is missing: remove it, and mount the file or let the first start make it.`,
      { cause: error },
    );
  });
  const secret = text?.trim();
  // A copy that a full disk cut short, or a placeholder: everybody knows the secret that is empty.
  if (secret === "")
    throw new Error(
      `The file ${path} is empty, and holds a secret otherwise. Put it back from a copy of the data folder, or remove it where there is no installation yet: the first start makes another.`,
    );
  return secret;
}
