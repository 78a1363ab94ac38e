import assert from "node:assert/strict";
import { chown, lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { newDataFolder, startService, waypost } from "./service.ts";

async function ownersIn(folder: string): Promise<Set<string>> {
  const names = await readdir(folder, { recursive: true });
  const owners = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        ({ uid, gid }) => `${uid}:${gid}`,
        () => undefined, // PostgreSQL removes files of its own at any time
      ),
    ),
  );
  return new Set(owners.filter((owner) => owner !== undefined));
}

test("root acts as the owner of a user's installation and changes no ownership", async (t) => {
  if (process.getuid?.() !== 0) return t.skip("this is about root");
  const daemon = /^daemon:[^:]*:(\d+):(\d+):/m.exec(await readFile("/etc/passwd", "utf8"));
  if (!daemon) return t.skip("there is no user `daemon` to own the folder");
  const [uid, gid] = [Number(daemon[1]), Number(daemon[2])];
  const folder = await newDataFolder(t);
  await chown(folder, uid, gid);
  const environment = { WAYPOST_DATA_DIR: folder };
  const service = await startService(t, environment);
  assert.deepEqual([...(await ownersIn(folder))], [`${uid}:${gid}`]);

  const during = await waypost(["keys", "create", "--name", "during", "--environment", "test"], environment);
  await service.end("SIGTERM");
  const after = await waypost(["keys", "list"], environment);

  assert.equal(during.code, 0, during.stderr);
  assert.match(after.stdout, /during/);
  assert.deepEqual([...(await ownersIn(folder))], [`${uid}:${gid}`]);
});
