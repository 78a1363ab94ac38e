import { writers } from "./registry.ts";
import { openFileSink, type WrittenFile } from "./file-sink.ts";
import { createBatch, type FileContext } from "./writer.ts";
import type { Format } from "../export.ts";

const batchBytes = 256 * 1024;
const lineFeed = 0x0a;

/** Writes lines of stored records into a file of the format, with memory that does not grow with their number. */
export async function encodeFile(
  lines: AsyncIterable<Buffer>,
  { format, path, context }: { format: Format; path: string; context: FileContext },
): Promise<WrittenFile & { rowCount: number }> {
  const createWriter = await writers[format]();
  const sink = await openFileSink(path);
  try {
    const writer = await createWriter(sink, context);
    let rowCount = 0;
    for await (const bytes of inWholeLines(lines)) {
      rowCount += countLines(bytes);
      await writer.write(createBatch(bytes));
    }
    await writer.end();
    return { ...(await sink.finish()), rowCount };
  } finally {
    await sink.close();
  }
}

async function* inWholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < batchBytes) continue;
    const bytes = Buffer.concat(held);
    const end = bytes.lastIndexOf(lineFeed) + 1;
    if (end > 0) yield bytes.subarray(0, end);
    held = end < bytes.length ? [bytes.subarray(end)] : [];
    size = bytes.length - end;
  }
  if (size > 0) yield Buffer.concat(held);
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}
