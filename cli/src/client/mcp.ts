import { createInterface } from "node:readline";
import type { Command } from "../commands.ts";
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
async function passOn(input: NodeJS.ReadableStream, bridge: Bridge, signal: AbortSignal): Promise<void> {
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
    if (line.trim() === "") continue;
    const sending = bridge.send(line).finally(() => pending.delete(sending));
    pending.add(sending);
  }
  await Promise.all(pending);
}
