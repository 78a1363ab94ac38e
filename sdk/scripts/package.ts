import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

// The sources are ES modules, which the compiler rewrites only when it is not told to leave them as they are.
const forCommonJs = ["--verbatimModuleSyntax", "false"];

/**
 * Makes the package as it is published, as ES modules and as CommonJS. Inside the workspace its sources run as they are; the published
 * package.json names what was built from them, and is therefore written and not copied.
 */
export async function buildPackage(folder = join(root, "sdk/dist")): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // The compiler of the workspace; the sdk's own older one serves the generator of the types.
  const typescript = dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json"));
  const compile = (...options: string[]) =>
    run(process.execPath, [join(typescript, "bin/tsc"), "-p", join(root, "sdk/tsconfig.build.json"), ...options]).catch(
      (error: { stdout: string }) => Promise.reject(new Error(error.stdout)),
    );
  const cjs = join(folder, "cjs");
  await compile("--outDir", folder);
  await compile("--outDir", cjs, "--module", "commonjs", "--moduleResolution", "bundler", ...forCommonJs);
  await writeFile(join(cjs, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);

  const {
    private: _,
    devDependencies: __,
    ...own
  } = JSON.parse(await readFile(join(root, "sdk/package.json"), "utf8"));
  const published = {
    ...own,
    exports: {
      ".": {
        import: { types: "./index.d.ts", default: "./index.js" },
        require: { types: "./cjs/index.d.ts", default: "./cjs/index.js" },
      },
      "./package.json": "./package.json",
    },
    types: "./index.d.ts",
    sideEffects: false,
    files: ["*.js", "*.d.ts", "cjs"],
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(join(root, "sdk/README.md"), join(folder, "README.md"));
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
}
