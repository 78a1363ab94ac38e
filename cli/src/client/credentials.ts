import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CredentialProblem } from "../failures.ts";

export type Credentials = { url: string; apiKey: string };

export const defaultUrl = "http://127.0.0.1:8080";

/** Where `waypost login` keeps the key. */
export function credentialsPath(environment = process.env): string {
  const folder = environment["XDG_CONFIG_HOME"] || join(environment["HOME"] || homedir(), ".config");
  return join(folder, "waypost", "credentials.json");
}

/** The key and address to use: those of the environment, then those of the file. */
export async function findCredentials(environment = process.env): Promise<Credentials> {
  const apiKey = environment["WAYPOST_API_KEY"];
  const url = environment["WAYPOST_URL"];
  // The file may be another user's, where HOME was kept: who names both needs none of it.
  if (apiKey && url) return { apiKey, url };
  const stored = await readCredentials(environment);
  if (apiKey) return { apiKey, url: stored?.url ?? defaultUrl };
  if (!stored) {
    throw new CredentialProblem("There is no API key: run `waypost login`, or set WAYPOST_API_KEY.");
  }
  if (url && !isSameService(url, stored.url)) {
    throw new CredentialProblem(
      `The stored key is for ${stored.url}, and WAYPOST_URL names ${url}: set WAYPOST_API_KEY too, or log in there with \`waypost login\`.`,
    );
  }
  return stored;
}

/** Writes the file so that nobody else can read it, whole or not at all. */
export async function storeCredentials(credentials: Credentials, environment = process.env): Promise<string> {
  const path = credentialsPath(environment);
  const draft = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new Error(`${path} cannot be written (${codeOf(error)}), and nothing was stored: ${elsewhere}.`, {
      cause: error,
    });
  }
  return path;
}

/** Resolves to whether there was something to remove. */
export async function removeCredentials(environment = process.env): Promise<boolean> {
  try {
    await rm(credentialsPath(environment));
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw new Error(`${credentialsPath(environment)} cannot be removed (${codeOf(error)}).`, { cause: error });
  }
}

async function readCredentials(environment: NodeJS.ProcessEnv): Promise<Credentials | undefined> {
  const path = credentialsPath(environment);
  let text: string;
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) {
      throw new CredentialProblem(
        `Others on this machine can read ${path}: run \`chmod 600\` on it, and rotate the key.`,
      );
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    if (error instanceof CredentialProblem) throw error;
    throw new CredentialProblem(`${path} cannot be read (${codeOf(error)}): ${elsewhere}.`);
  }
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Credentials>;
    if (typeof url === "string" && typeof apiKey === "string") return { url, apiKey };
  } catch {
    // Falls through: what cannot be read is as bad as what lacks a part.
  }
  throw new CredentialProblem(`${path} is damaged: run \`waypost login\` again.`);
}

const elsewhere = "set XDG_CONFIG_HOME to a folder of yours, or WAYPOST_API_KEY and WAYPOST_URL";

/** A home that is no folder, such as /dev/null, has no file either. */
function isAbsence(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function isSameService(first: string, second: string): boolean {
  return serviceUrl(first) === serviceUrl(second);
}

/** Where the service is, without the API's own path and without a slash at the end. */
export function serviceUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/(api\/v1\/?)?$/, "") : url;
}
