import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../platform/process-alive.ts";
import { DownloadUnstorable } from "../errors.ts";

const anyPrefix = "waypost-import-";
/** Of the machine as well: in a folder that containers share, the number of a process says nothing by itself. */
const prefix = `${anyPrefix}${hostname().replaceAll(/[^\w.]/g, "_")}-`;
/** For how long a folder of which only its age says anything is left alone. */
const untouchedMsMin = 7 * 24 * 3_600_000;

/** Makes a folder for the work below this one, and removes what killed imports left there. */
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

/** Folders of this user that nobody uses. */
async function clearAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(anyPrefix)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.uid !== process.getuid?.()) continue;
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    // A process of the same number keeps a folder longer, never shorter.
    const isAbandoned = pid > 0 ? !isAlive(pid) : await isUntouched(path);
    if (!isAbandoned) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Those of another machine, or of a version that did not yet name its process, show no more than when they changed. */
async function isUntouched(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => []);
  const found = await Promise.all([path, ...names.map((name) => join(path, name))].map((each) => stat(each))).catch(
    () => [],
  );
  return found.length > 0 && found.every(({ mtimeMs }) => Date.now() - mtimeMs > untouchedMsMin);
}
