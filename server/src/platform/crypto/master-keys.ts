import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { makeFolder } from "../folders.ts";
import { readOrCreateSecret, replaceSecret } from "./secret-file.ts";

/** Where an installation's master keys come from; the first is the one to move to. */
export type MasterKeys =
  | { source: "configured"; read(): Promise<string[]> }
  /** A file of our own, one key to a line, made when it is first read. */
  | { source: "file"; path: string; read(): Promise<string[]>; replace(keys: readonly string[]): Promise<void> };

export function createMasterKeys(configured: readonly string[] | undefined, path: string): MasterKeys {
  if (configured) return { source: "configured", read: async () => [...configured] };
  return {
    source: "file",
    path,
    async read() {
      await makeFolder(dirname(path));
      return (await readOrCreateSecret(path, newMasterKey)).split("\n");
    },
    replace: (keys) => replaceSecret(path, keys.join("\n")),
  };
}

export function newMasterKey(): string {
  return randomBytes(32).toString("base64url");
}
