import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ImportProblem } from "../../2-read/index.ts";
import { DownloadUnstorable } from "../../errors.ts";

const untouchedMsMin = 7 * 24 * 3_600_000;
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/**
 * A folder for what an import fetches, called after what it is. It goes when the import is made, and stays when that was
 * interrupted, for the same command to go on with; what nobody asks for within seven days goes too.
 */
export async function withPartsFolder<Result>(
  parent: string,
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(parent, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await clearUntouched(parent);
    const result = await work(folder);
    await rm(folder, { recursive: true, force: true });
    return result;
  } catch (error) {
    // Whatever cannot be read now cannot be read later.
    if (error instanceof Error && error.cause instanceof ImportProblem)
      await rm(folder, { recursive: true, force: true });
    const { code, path = "" } = error as NodeJS.ErrnoException;
    const isOurs = code !== undefined && path.startsWith(parent);
    if (!fullCodes.has(code) && !isOurs) throw error;
    const problem = fullCodes.has(code) ? "its disk is full" : `it cannot be written (${code})`;
    throw DownloadUnstorable({ folder: parent, problem, setting: "WAYPOST_DATA_DIR" }, { cause: error });
  }
}

async function clearUntouched(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > untouchedMsMin) await rm(path, { recursive: true, force: true });
  }
}
