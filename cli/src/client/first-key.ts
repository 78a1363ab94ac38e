import { access } from "node:fs/promises";
import { type Credentials, credentialsPath, storeCredentials } from "./credentials.ts";

/** Where a service was started, as far as it matters for keeping its key. */
export type Start = { environment: NodeJS.ProcessEnv; isInteractive: boolean; isContainer: boolean };

/**
 * Keeps the live key of a first start for the command, where somebody sits at the terminal of this machine and has no
 * key yet. Resolves to the file; undefined where nothing was stored.
 */
export async function keepFirstKey(
  credentials: Credentials,
  { environment, isInteractive, isContainer }: Start,
): Promise<string | undefined> {
  if (!isInteractive || isContainer || environment["WAYPOST_API_KEY"] || environment["WAYPOST_URL"]) return undefined;
  if (await isThere(credentialsPath(environment))) return undefined;
  // The greeting shows the key, so a home that cannot be written costs nothing but the convenience.
  return storeCredentials(credentials, environment).catch(() => undefined);
}

export async function describeStart(): Promise<Start> {
  const { env, stdin, stdout } = process;
  const marks = ["/.dockerenv", "/run/.containerenv"];
  const isMarked = (await Promise.all(marks.map(isThere))).includes(true);
  return {
    environment: env,
    isInteractive: stdin.isTTY && stdout.isTTY,
    isContainer: isMarked || Boolean(env["KUBERNETES_SERVICE_HOST"] ?? env["container"]),
  };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
}
