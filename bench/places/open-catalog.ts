import { tmpdir } from "node:os";
import { createScratchFile } from "../../server/src/platform/scratch-file.ts";
import { createCatalog } from "../../server/src/sources/catalog/catalog.ts";
import { defaultDiskMb, megabyte } from "../../server/src/sources/catalog/description.ts";

/** The catalog as the service opens it. */
export function openCatalog(options: Parameters<typeof createCatalog>[0]) {
  const recordFile = createScratchFile({ folder: tmpdir(), bytesMax: defaultDiskMb * megabyte });
  return createCatalog({ recordFile, ...options });
}
