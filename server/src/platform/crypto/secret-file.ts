import { readFile } from "node:fs/promises";
import { createDurably } from "../durable-files.ts";

/**
 * A secret kept in a file that only its owner may read, made when it is first read.
 * Several processes may ask at once: all get the one that was there first.
 */
export async function readOrCreateSecret(path: string, make: () => string): Promise<string> {
  const known = await readSecret(path);
  if (known !== undefined) return known;

  await createDurably(path, `${make()}\n`);
  const made = await readSecret(path);
  if (made === undefined) throw new Error(`${path} vanished while it was being made.`);
  return made;
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
