import assert from "node:assert/strict";
import { access, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { listContents, npm, packAll, type Packed } from "../scripts/package/pack.ts";
import { olderNode } from "./older-node.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { type Environment, inherited, root, run, type RunningService, startServiceUntil } from "./service.ts";

const installedMegabytesMax = 300;

// Packs the packages, installs them into an empty folder, and does there what a first day does.
let folder = "";
let packed: Packed[] = [];
let service: RunningService;
let stopService: () => Promise<unknown> = () => Promise.resolve();
/** What a client of the service gets. */
let client: Environment = {};
const project = () => join(folder, "project");
const dataFolder = () => join(folder, "home/.local/share/waypost");
const program = () => join(project(), "node_modules/.bin/waypost");

before(async () => {
  folder = await makeTempFolder();
  await Promise.all([mkdir(project()), mkdir(join(folder, "home"))]);
  packed = await packAll(join(folder, "packages"));
  await writeFile(join(project(), "package.json"), JSON.stringify({ name: "project", private: true }));
  const tarballs = packed.map(({ tarball }) => tarball);
  await npm(project(), "install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs);
});

before(async () => {
  // Only the catalog answers, so that nothing needs a network, and no sample imports itself.
  const environment = { HOME: join(folder, "home"), XDG_DATA_HOME: "", WAYPOST_SOURCE: "catalog" };
  service = await startServiceUntil((stop) => (stopService = stop), environment, [program(), "serve"], project());
  const [key = ""] = /svc_live_\w+/.exec(service.output) ?? [];
  client = { ...environment, WAYPOST_URL: service.address, WAYPOST_API_KEY: key };
});

after(async () => {
  await stopService();
  await removeFolder(folder);
});

async function command(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(process.execPath, [program(), ...words], client, project());
  assert.equal(code, 0, stderr);
  return stdout;
}

test("the packages contain what the committed list says, and nothing of this machine", async () => {
  const contents = await readFile(join(root, "scripts/package/contents.txt"), "utf8");
  assert.equal(listContents(packed), contents, "npm run pack -- --write, and read what changed");

  for (const { folder: built, files } of packed) {
    for (const path of files) {
      assert.doesNotMatch(path, /\.test\.|(^|\/)(test|\.[\w.]+)(\/|$)|\.env|\.pem$/);
      const text = await readFile(join(built, path), "latin1");
      const ofMachine = [root, homedir()].find((each) => each.length > "/root/".length && text.includes(each));
      assert.equal(ofMachine, undefined, `${path} names a folder of this machine`);
      assert.doesNotMatch(text, /svc_(live|test)_\w{46}|BEGIN [A-Z ]*PRIVATE KEY/, `${path} has a secret`);
      if (path.endsWith(".js")) assert.doesNotMatch(text, /["']@waypost\/(server|cli)|new URL\([^)]*\.ts["']/, path);
    }
  }
});

test("the package of the service needs no other of ours, and its license names the sample's", async () => {
  const built = packed.find(({ name }) => name === "waypost")?.folder ?? "";
  const manifest = JSON.parse(await readFile(join(built, "package.json"), "utf8"));

  assert.equal(manifest.license, "Apache-2.0 AND ODbL-1.0");
  assert.equal(manifest.private, undefined);
  assert.deepEqual(
    Object.keys(manifest.dependencies).filter((name) => name.startsWith("@waypost/")),
    [],
  );
});

test(`installed, they take less than ${installedMegabytesMax} MB`, async (t) => {
  const megabytes = (await bytesOf(project())) / 1e6;

  t.diagnostic(`${megabytes.toFixed(0)} MB`);
  assert.ok(megabytes < installedMegabytesMax, `${megabytes} MB`);
});

test("the service keeps its data in the user's data folder, says so, and has its pages", async (t) => {
  assert.equal((await fetch(`${service.address}/console/`)).status, 200);
  if (process.platform !== "linux") return t.skip("the folder is another one here");
  assert.ok(service.output.includes(`Data        ${dataFolder()} `), service.output);
});

test("it imports the sample, searches it, collects and exports", async () => {
  await command("catalog", "import", join(project(), "node_modules/waypost/server/data/sample/liechtenstein.osm.pbf"));

  assert.match(await command("search", "coffee", "in", "Vaduz"), /\bVaduz\b/);
  const job = JSON.parse(await command("scrape", "coffee in Vaduz", "--json")) as { id: string };
  await command("export", job.id, "--output", "cafes.xlsx");
  assert.equal((await readFile(join(project(), "cafes.xlsx"))).toString("latin1", 0, 2), "PK");
});

test("programs of both kinds of modules have the SDK", async () => {
  const ask = "new Waypost().search({ q: 'coffee in Vaduz' }).then(({ total }) => console.log(total > 0));\n";
  await writeFile(join(project(), "imports.mjs"), `import { Waypost } from "@waypost/sdk";\n${ask}`);
  await writeFile(join(project(), "requires.cjs"), `const { Waypost } = require("@waypost/sdk");\n${ask}`);

  for (const name of ["imports.mjs", "requires.cjs"]) {
    const { stdout, stderr } = await run(process.execPath, [name], client, project());
    assert.equal(stdout, "true\n", stderr);
  }
});

test("a Node that is too old gets one sentence with a command that works", async (t) => {
  if (!olderNode) return t.skip("there is no Node from 18 to 21 on this machine");
  const words = [program(), "search", "coffee in Vaduz", "--json"];
  const refused = await run(olderNode, words, client, project());
  const [sentence = "", offered = ""] =
    /^Waypost needs Node 22\.19 or newer, .*`(npx -y -p [^`]+)`.*\n$/.exec(refused.stderr) ?? [];
  assert.equal(refused.code, 1);
  assert.equal(sentence, refused.stderr, "it is one sentence");
  const path = [dirname(olderNode), inherited["PATH"]].join(":");
  const found = await run("sh", ["-c", offered], { ...client, PATH: path }, project());
  assert.ok(JSON.parse(found.stdout).businesses.length > 0, found.stderr);
});

test("it stops on a signal, and nothing runs on", async () => {
  assert.deepEqual(await service.end("SIGTERM"), { code: 0, signal: null });

  await assert.rejects(access(join(dataFolder(), "postgres/cluster/postmaster.pid")), { code: "ENOENT" });
});

/** What a folder takes, without counting a link's target. */
async function bytesOf(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true });
  const sizes = await Promise.all(entries.map(async (path) => (await lstat(join(place, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
