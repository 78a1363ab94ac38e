import { execFile } from "node:child_process";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { defer } from "./defer.ts";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

type SmallDisk = { megabytes: number; owner?: { uid: number; gid: number } | undefined };

/** A disk of a few megabytes; skips the test where none can be mounted. */
export async function mountSmallDisk(t: TestContext, { megabytes, owner }: SmallDisk): Promise<string | undefined> {
  const folder = await makeTempFolder();
  try {
    const options = `size=${megabytes}m,mode=700,uid=${owner?.uid ?? 0},gid=${owner?.gid ?? 0}`;
    await promisify(execFile)("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  } catch (error) {
    await removeFolder(folder);
    t.skip(`no small disk can be mounted here: ${(error as Error).message.split("\n").at(-2)}`);
    return undefined;
  }
  defer(t, async () => {
    await promisify(execFile)("umount", ["-l", folder]);
    await removeFolder(folder);
  });
  return folder;
}
