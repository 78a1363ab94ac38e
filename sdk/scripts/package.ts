import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/**
 * Makes the package as it is published. Inside the workspace its sources run as they are; the published
 * package.json names what was built from them, and is therefore written and not copied.
 */
export async function buildPackage(folder = join(root, "sdk/dist")): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // The compiler of the workspace; the sdk's own older one serves the generator of the types.
  const typescript = dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json"));
  const words = [join(typescript, "bin/tsc"), "-p", join(root, "sdk/tsconfig.build.json"), "--outDir", folder];
  await run(process.execPath, words).catch((error: { stdout: string }) => Promise.reject(new Error(error.stdout)));

  const {
    private: _,
    devDependencies: __,
    ...own
  } = JSON.parse(await readFile(join(root, "sdk/package.json"), "utf8"));
  const published = {
    ...own,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
    types: "./index.d.ts",
    sideEffects: false,
    files: ["*.js", "*.d.ts"],
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(join(root, "sdk/README.md"), join(folder, "README.md"));
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
}
