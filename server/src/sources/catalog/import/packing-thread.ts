import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Numbered } from "../../../platform/threads.ts";
import type { LeafBlock } from "./pack-leaf.ts";
import type { PackingThread } from "./packing.ts";
import type { SearchedColumns } from "./searched-columns.ts";

// The body of a thread that packs blocks; packing.ts starts it.
const { compiledFolder } = workerData as PackingThread;
if (compiledFolder !== undefined) module.enableCompileCache(compiledFolder);
const { packLeaf } = await import("./pack-leaf.ts");

parentPort?.on("message", ({ number, content }: Numbered<readonly SearchedColumns[]>) => {
  const block = packLeaf(content);
  parentPort?.postMessage({ number, content: block } satisfies Numbered<LeafBlock>, [
    block.bytes.buffer,
    block.signatures.buffer,
    block.kinds.buffer,
  ]);
});
