import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** A zip archive of texts by their names. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  return buffer(archive.outputStream);
}
