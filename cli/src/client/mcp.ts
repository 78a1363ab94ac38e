import { addAbortSignal, type Readable } from "node:stream";
import type { Command } from "../command.ts";
import { outputLost } from "../output.ts";
import { type Bridge, createBridge } from "./mcp-bridge.ts";
import { findCredentials } from "./credentials.ts";

export const mcpCommands: readonly Command[] = [
  {
    name: "mcp",
    about: "Connect an agent that speaks MCP over standard input and output to the service",
    words: "",
    options: {},
    async run() {
      const bridge = createBridge(await findCredentials(), printLine, outputLost);
      await passOn(process.stdin, bridge, outputLost);
      return undefined;
    },
  },
];

function printLine(line: string) {
  process.stdout.write(`${line}\n`);
}

/** Sends each line on until the input ends, or nobody hears the answers, and waits for those that are on their way. */
async function passOn(input: Readable, bridge: Bridge, signal: AbortSignal): Promise<void> {
  const pending = new Set<Promise<void>>();
  for await (const line of linesOf(input, signal)) {
    if (line === "") continue;
    const sending = bridge.send(line).finally(() => pending.delete(sending));
    pending.add(sending);
  }
  await Promise.all(pending);
}

/**
 * Lines without the blanks around them, until the input ends or the signal comes. Node's own reader also breaks them
 * at U+2028 and U+2029, which the texts of a message may hold as they are.
 */
async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
  let held: string[] = [];
  try {
    for await (const chunk of addAbortSignal(signal, input.setEncoding("utf8"))) {
      const [first = "", ...more] = String(chunk).split("\n");
      held.push(first);
      for (const begun of more) {
        yield held.join("").trim();
        held = [begun];
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return;
  }
  yield held.join("").trim();
}
