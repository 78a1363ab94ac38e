import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { makeTempFolder, removeFolder } from "../../../test/temp-folder.ts";
import { defaultDataFolder } from "./data-folder.ts";

let cwd = "";
before(async () => {
  cwd = await makeTempFolder();
});
after(() => removeFolder(cwd));

test("a clone keeps its data in its own folder", () => {
  assert.equal(defaultDataFolder({ environment: {} }), resolve("./data"));
  assert.equal(defaultDataFolder({ cwd, isPackage: false, environment: { HOME: "/home/ada" } }), join(cwd, "data"));
});

test("a package keeps its data in ./data where that exists, else in the user's data folder", async () => {
  const environment = { HOME: "/home/ada" };
  const elsewhere = defaultDataFolder({ cwd, isPackage: true, platform: "linux", environment });
  await mkdir(join(cwd, "data"));

  assert.equal(elsewhere, "/home/ada/.local/share/waypost");
  assert.equal(defaultDataFolder({ cwd, isPackage: true, platform: "linux", environment }), join(cwd, "data"));
});

test("the user's data folder is the one of the platform", () => {
  const folderOf = (platform: NodeJS.Platform, environment: Record<string, string>) =>
    defaultDataFolder({ cwd: join(cwd, "nothing here"), isPackage: true, platform, environment });

  assert.equal(folderOf("linux", { HOME: "/home/ada", XDG_DATA_HOME: "/srv/ada" }), "/srv/ada/waypost");
  assert.equal(folderOf("linux", { HOME: "/home/ada", XDG_DATA_HOME: "srv" }), "/home/ada/.local/share/waypost");
  assert.equal(folderOf("linux", {}), join(homedir(), ".local/share/waypost"));
  assert.equal(folderOf("darwin", { HOME: "/Users/ada" }), "/Users/ada/Library/Application Support/waypost");
  assert.equal(folderOf("win32", { LOCALAPPDATA: "/ada/Local" }), "/ada/Local/waypost");
});
