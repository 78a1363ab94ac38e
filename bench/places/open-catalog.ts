import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createScratchFile } from "../../server/src/platform/scratch-file.ts";
import { createCatalog } from "../../server/src/sources/catalog/catalog.ts";
import { defaultDiskMb, megabyte } from "../../server/src/sources/catalog/description.ts";

/** The catalog as the service opens it. `settled` resolves once it reads no more in the background. */
export function openCatalog(options: Parameters<typeof createCatalog>[0]) {
  const recordFile = createScratchFile({ folder: tmpdir(), bytesMax: defaultDiskMb * megabyte });
  const settled = () => untilQuiet(async () => recordFile.bytes());
  return Object.assign(createCatalog({ recordFile, ...options }), { settled });
}

const quietMs = 2_000;

/** Resolves once a number grows no more. */
export async function untilQuiet(read: () => Promise<number>): Promise<void> {
  for (let before = -1, now = await read(); now > before; now = await read()) {
    before = now;
    await sleep(quietMs);
  }
}
