import { createInterface } from "node:readline";
import type { Command } from "../commands.ts";
import { type Bridge, createBridge } from "./mcp-bridge.ts";
import { findCredentials } from "./credentials.ts";

export const mcpCommands: readonly Command[] = [
  {
    name: "mcp",
    about: "Connect an agent that speaks MCP over standard input and output to the service",
    words: "",
    options: {},
    async run() {
      const bridge = createBridge(await findCredentials(), (line) => process.stdout.write(`${line}\n`));
      await passOn(process.stdin, bridge);
      return undefined;
    },
  },
];

/** Sends each line on until the input ends, and waits for the answers. */
async function passOn(input: NodeJS.ReadableStream, bridge: Bridge): Promise<void> {
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const sending = bridge.send(line).finally(() => pending.delete(sending));
    pending.add(sending);
  }
  await Promise.all(pending);
}
