import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addData, type Files, reachModules } from "./modules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Manifest = Record<string, unknown> & {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

type Lock = { packages: Record<string, { version: string }> };

/** What no module names: the licenses, and the sample that a first start imports. */
const besides = ["LICENSE", "NOTICE", "server/data/sample", "server/src/kinds/LICENSE.md"];

/**
 * Makes the package `waypost` as it is published: the command and the service as JavaScript, the migrations, the data
 * and the built pages, in the tree of the repository. What it uses of other workspaces is in it.
 */
export async function buildWaypost(folder: string): Promise<void> {
  const [cli, server] = await Promise.all([readManifest("cli"), readManifest("server")]);
  const files = reachModules(root, "cli/bin/waypost.js");
  for (const path of besides) addData(files, root, path);
  for (const [path, { version }] of Object.entries({ cli, server })) {
    files.set(`${path}/package.json`, toJson({ type: "module", version }));
  }
  files.set("package.json", toJson(await published(cli, server)));
  await rm(folder, { recursive: true, force: true });
  await write(folder, files);
  await copyFile(join(root, "cli/README.md"), join(folder, "README.md"));
}

/** Dependencies have the versions of the lock file: those that the tests have run with. */
async function published(cli: Manifest, server: Manifest) {
  const { private: _, devDependencies: __, ...own } = cli;
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as Lock;
  const pinned = (needed: Record<string, string>) =>
    Object.fromEntries(
      Object.keys(needed)
        .filter((name) => !name.startsWith("@waypost/"))
        .toSorted()
        .map((name) => [name, packages[`node_modules/${name}`]?.version]),
    );
  return {
    ...own,
    bin: { waypost: "cli/bin/waypost.js" },
    dependencies: pinned({ ...server.dependencies, ...own.dependencies }),
    optionalDependencies: pinned(server.optionalDependencies),
  };
}

async function readManifest(workspace: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, workspace, "package.json"), "utf8")) as Manifest;
}

const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
