import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const cache = fileURLToPath(new URL("../node_modules/.cache/python/", import.meta.url));
const installDeadlineMs = 600_000;

export type PythonPackages = { path: string } | { missing: string };

/** The folder with the packages of a requirements file, for `PYTHONPATH`; they are installed when they are missing. */
export async function findPythonPackages(requirements: string): Promise<PythonPackages> {
  try {
    const { stdout: version } = await execute("python3", ["--version"]);
    const name = createHash("sha256")
      .update(version)
      .update(await readFile(requirements))
      .digest("hex");
    const path = join(cache, name);
    if (!existsSync(path)) await install(requirements, path);
    return { path };
  } catch (error) {
    const [reason] = (error as Error).message.split("\n", 1);
    return { missing: `the Python packages of ${requirements} cannot be installed: ${reason}` };
  }
}

async function install(requirements: string, path: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    // Wheels only: nothing that is installed runs a script.
    const words = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--target", draft, "-r", requirements];
    await execute("python3", words, { timeout: installDeadlineMs });
    await rename(draft, path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
