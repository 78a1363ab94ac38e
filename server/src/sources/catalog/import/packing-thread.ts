import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { PackingMessage, PackingReply, PackingThread } from "./packing.ts";

// The body of a thread that packs blocks; packing.ts starts it.
const { compiledFolder } = workerData as PackingThread;
if (compiledFolder !== undefined) module.enableCompileCache(compiledFolder);
const { packLeaf } = await import("./pack-leaf.ts");

parentPort?.on("message", ({ number, found }: PackingMessage) => {
  const block = packLeaf(found);
  const reply: PackingReply = { number, block };
  parentPort?.postMessage(reply, [block.bytes.buffer, block.signatures.buffer, block.kinds.buffer]);
});
