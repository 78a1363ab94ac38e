// Packs `waypost` and `@waypost/sdk` as they are published, into packages/: npm run pack
// It fails where they contain something else than scripts/package/contents.txt says; `-- --write` writes that list.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { listContents, packAll } from "./package/pack.ts";

const list = new URL("package/contents.txt", import.meta.url);

const packed = await packAll(fileURLToPath(new URL("../packages", import.meta.url)));
const contents = listContents(packed);
if (process.argv.includes("--write")) await writeFile(list, contents);
for (const { tarball, files, bytes } of packed) {
  console.log(`${tarball}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
}
if (contents !== (await readFile(list, "utf8"))) {
  console.error(
    "The contents are not those of scripts/package/contents.txt: npm run pack -- --write, and read what changed.",
  );
  process.exitCode = 1;
}
