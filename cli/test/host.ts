// A process that runs one command after the other, as often as it is asked: what each would load is loaded once.
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { runCommandLine } from "../src/command-line.ts";
import type { Ended } from "./waypost.ts";

// An import lets others go first until its process ends, and this one goes on.
os.setPriority = () => undefined;
syncBuiltinESMExports();

export type Asked = { words: readonly string[]; environment: NodeJS.ProcessEnv };

process.on("message", (asked: Asked) => {
  void answer(asked).then((ended) => process.send?.(ended));
});

async function answer({ words, environment }: Asked): Promise<Ended> {
  // In place: the system reads it too, for the home folder.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = undefined;
  const [out, error] = [hold(process.stdout), hold(process.stderr)];
  try {
    const code = await runCommandLine(words);
    return { code: code || codeSet(), out: out.release(), error: error.release() };
  } finally {
    out.release();
    error.release();
  }
}

/** What a service that cannot start has set. */
function codeSet(): number {
  return Number(process.exitCode ?? 0);
}

/** Keeps what is written to a stream, until it is released. */
function hold(stream: NodeJS.WriteStream) {
  const write = stream.write;
  let text = "";
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === "function") queueMicrotask(() => void done());
    return true;
  };
  return {
    release() {
      stream.write = write;
      return text;
    },
  };
}
