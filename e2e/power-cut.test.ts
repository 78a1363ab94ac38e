import assert from "node:assert/strict";
import { constants, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { defer } from "../server/test/defer.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { newPreparedFolder, postmasterOf, run, type RunningService, search, startService, waypost } from "./service.ts";

const diskBytes = "1G";
const mountingNeeds = "taking a disk away needs root, Linux and python3";
/** EXT4_IOC_SHUTDOWN without a flush: nothing reaches the disk from then on. */
const shutdown = `import fcntl, os, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, b"\\x02\\0\\0\\0")`;
const keyIn = (output: string) => /svc_test_\w+/.exec(output)?.[0] ?? "";

test("a power cut right after the first start costs neither the folder nor its keys", async (t) => {
  const disk = await givenDisk(t);
  if (!disk) return t.skip(mountingNeeds);
  const service = await startService(t, { WAYPOST_DATA_DIR: disk.dataFolder });
  const key = keyIn(service.output);

  const afterwards = await disk.cutPower(service);
  const again = await startService(t, { WAYPOST_DATA_DIR: afterwards });

  assert.equal((await search(again.address, key)).status, 200);
});

test("a power cut right after the start of a restored service costs nothing of it", async (t) => {
  const disk = await givenDisk(t);
  if (!disk) return t.skip(mountingNeeds);
  const original = { WAYPOST_DATA_DIR: await newPreparedFolder(t) };
  const service = await startService(t, original);
  const key = keyIn(service.output);
  const file = join(original.WAYPOST_DATA_DIR, "waypost.backup");
  assert.equal((await waypost(["backup", file], original)).code, 0);

  const restored = await waypost(["restore", file], { WAYPOST_DATA_DIR: disk.dataFolder });
  assert.equal(restored.code, 0, restored.stderr);
  const second = await startService(t, { WAYPOST_DATA_DIR: disk.dataFolder });
  const afterwards = await disk.cutPower(second);
  const again = await startService(t, { WAYPOST_DATA_DIR: afterwards });

  assert.equal((await search(again.address, key)).status, 200);
});

/**
 * A disk of its own with a data folder; undefined where none can be mounted. `cutPower` mounts what the disk has at that
 * moment: all that was flushed, and nothing of what only the memory of the operating system holds.
 */
async function givenDisk(t: TestContext) {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  const image = join(folder, "disk");
  const made = await tryAll(
    ["python3", ["-c", ""]],
    ["truncate", ["-s", diskBytes, image]],
    ["mkfs.ext4", ["-q", image]],
  );
  const dataFolder = made ? await mount(t, image, join(folder, "mounted")) : undefined;
  if (dataFolder === undefined) return undefined;
  return {
    dataFolder,
    async cutPower(service: RunningService): Promise<string> {
      const postmaster = await postmasterOf(dataFolder);
      assert.ok(await tryAll(["python3", ["-c", shutdown, dataFolder]]));
      await service.end("SIGKILL");
      await tryAll(["kill", ["-9", String(postmaster)]]); // it may have ended by itself, without its disk
      const copy = join(folder, "disk-afterwards");
      await copyFile(image, copy, constants.COPYFILE_FICLONE);
      const mounted = await mount(t, copy, join(folder, "mounted-afterwards"));
      assert.ok(mounted !== undefined);
      return mounted;
    },
  };
}

async function mount(t: TestContext, image: string, folder: string): Promise<string | undefined> {
  await mkdir(folder);
  if (!(await tryAll(["mount", ["-o", "loop", image, folder]]))) return undefined;
  defer(t, () => tryAll(["umount", ["-l", folder]])); // what was killed may still be leaving
  return join(folder, "data");
}

async function tryAll(...commands: [string, string[]][]): Promise<boolean> {
  for (const [command, words] of commands) {
    const code = await run(command, words, {}).then(
      (ended) => ended.code,
      () => undefined,
    );
    if (code !== 0) return false;
  }
  return true;
}
