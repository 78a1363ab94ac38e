import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../../platform/process-alive.ts";
import { DownloadUnstorable } from "./errors.ts";

/** Of the machine as well: in a folder that containers share, the number of a process says nothing by itself. */
const prefix = `waypost-import-${hostname().replaceAll(/[^\w.]/g, "_")}-`;

/** Gives the work a folder of its own below this one, and clears away what imports that were killed have left there. */
export async function withDownloadFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await clearAbandoned(parent);
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
    return await work(folder);
  } catch (error) {
    const problem = problemOf(error, folder);
    throw problem === undefined ? error : DownloadUnstorable({ folder: parent, problem }, { cause: error });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

function problemOf(error: unknown, folder: string | undefined): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (fullCodes.has(error.code)) return "its disk is full";
  if (folder !== undefined) return undefined;
  return error.code === "ENOENT" ? "there is no such folder" : `no folder can be made there (${String(error.code)})`;
}

/** Folders of this user whose process has ended. A process of the same number keeps one longer, never shorter. */
async function clearAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (!(pid > 0) || isAlive(pid)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
