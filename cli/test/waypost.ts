import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Asked } from "./host.ts";

export const waypostProgram = fileURLToPath(new URL("../bin/waypost.js", import.meta.url));

export type Ended = { code: number | null; out: string; error: string };

/** Starts the command in an environment of its own: the machine's keys and files are not there. */
export function startWaypost(words: readonly string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [waypostProgram, ...words], {
    env: environmentOf(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs the command to its end. */
export async function waypost(
  words: readonly string[],
  environment: Record<string, string> = {},
  input = "",
): Promise<Ended> {
  const needsProcess = input !== "" || words[0] === "serve";
  if (!needsProcess) return runHosted(words, environmentOf(environment));
  return endOf(startWaypost(words, environment), input);
}

const environmentOf = (environment: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  HOME: "/nowhere",
  ...environment,
});

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in a process that runs one after the other, and ends with this one. A command that waits for
 * another needs one of its own.
 */
export function runHosted(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const ended = last.then(() => askHost({ words, environment }));
  last = ended.catch(() => undefined);
  return ended;
}

async function askHost(asked: Asked): Promise<Ended> {
  host ??= fork(fileURLToPath(new URL("host.ts", import.meta.url)), {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // Referred to only while it is waited for, so that it keeps no test file from ending.
  for (const each of [host, host.channel]) each?.ref();
  const over = new AbortController();
  const lost = once(host, "exit", over).then(([code]) => {
    throw new Error(`The host ended with ${String(code)}.`);
  });
  try {
    host.send(asked);
    const [ended] = (await Promise.race([once(host, "message", over), lost])) as [Ended];
    return ended;
  } finally {
    over.abort();
    for (const each of [host, host.channel]) each?.unref();
  }
}

async function endOf(child: ChildProcess, input: string): Promise<Ended> {
  let out = "";
  let error = "";
  child.stdout?.on("data", (chunk) => (out += String(chunk)));
  child.stderr?.on("data", (chunk) => (error += String(chunk)));
  child.stdin?.on("error", () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out, error };
}
