import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const waypostProgram = fileURLToPath(new URL("../bin/waypost.js", import.meta.url));

export type Ended = { code: number | null; out: string; error: string };

/** Starts the command in an environment of its own: the machine's keys and files are not there. */
export function startWaypost(words: readonly string[], environment: Record<string, string> = {}) {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    HOME: "/nowhere",
    ...environment,
  };
  return spawn(process.execPath, [waypostProgram, ...words], { env, stdio: ["pipe", "pipe", "pipe"] });
}

/** Runs the command to its end. */
export async function waypost(
  words: readonly string[],
  environment: Record<string, string> = {},
  input = "",
): Promise<Ended> {
  const child = startWaypost(words, environment);
  let out = "";
  let error = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (error += String(chunk)));
  child.stdin.on("error", () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out, error };
}
