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
  const stored = await readCredentials(environment);
  const apiKey = environment["WAYPOST_API_KEY"];
  const url = environment["WAYPOST_URL"];
  if (apiKey) return { apiKey, url: url || stored?.url || defaultUrl };
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
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await chmod(draft, 0o600);
  await rename(draft, path);
  return path;
}

/** Resolves to whether there was something to remove. */
export async function removeCredentials(environment = process.env): Promise<boolean> {
  try {
    await rm(credentialsPath(environment));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Credentials>;
    if (typeof url === "string" && typeof apiKey === "string") return { url, apiKey };
  } catch {
    // Falls through: what cannot be read is as bad as what lacks a part.
  }
  throw new CredentialProblem(`${path} is damaged: run \`waypost login\` again.`);
}

function isSameService(first: string, second: string): boolean {
  return serviceUrl(first) === serviceUrl(second);
}

/** Where the service is, without the API's own path and without a slash at the end. */
export function serviceUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/(api\/v1\/?)?$/, "") : url;
}
