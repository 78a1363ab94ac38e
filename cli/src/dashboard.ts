import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../dashboard", import.meta.url));
const dist = join(folder, "dist");
/** The sources that `dist` was built from, as a hash: a checkout or a copy changes times, not contents. */
const stamp = "sources.sha256";

/**
 * Builds the dashboard when it was never built, or from other sources than those here, and resolves to whether what is
 * there is of these sources. A failure is a warning: the API works without pages. An image has the built pages and no
 * sources; nothing happens there.
 */
export async function buildDashboardWhenStale(): Promise<boolean> {
  if (!existsSync(join(folder, "src"))) return true;
  const hash = await hashSources();
  if ((await readStamp()) === hash) return true;
  const vite = findVite();
  if (!vite) return warn("Vite is missing; run `npm ci`, without --omit=dev, then `npm run build`");
  if (!(await isWritable(folder)))
    return warn(`this user cannot write to ${folder}; run \`npm run build\` as the owner of the project's folder`);
  console.log("Building the dashboard from its sources, which takes some seconds and happens once …");
  // Built aside and renamed, so that two services that start together do not mix their files.
  const fresh = `${dist}.${process.pid}`;
  try {
    await build(vite, fresh);
    await writeFile(join(fresh, stamp), hash);
    // Another service may have built the same meanwhile, and read its files right now.
    if ((await readStamp()) !== hash) {
      await rm(dist, { recursive: true, force: true });
      await rename(fresh, dist);
    }
    return true;
  } catch (error) {
    return warn((error as Error).message);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The pages of an earlier build are served when there are any. */
function warn(reason: string): false {
  const outcome = existsSync(join(dist, "index.html")) ? "is that of older sources" : "was not built";
  console.error(`The dashboard ${outcome}, because ${reason}.`);
  return false;
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function readStamp(): Promise<string | undefined> {
  return readFile(join(dist, stamp), "utf8").catch(() => undefined);
}

async function hashSources(): Promise<string> {
  const files = ["index.html", "package.json", "vite.config.ts"];
  for (const part of ["build", "public", "src"]) {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
    for (const entry of entries)
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name).slice(folder.length));
  }
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest("hex");
}

function findVite(): string | undefined {
  try {
    const manifest = createRequire(join(folder, "package.json")).resolve("vite/package.json");
    return join(manifest, "../bin/vite.js");
  } catch {
    return undefined;
  }
}

function build(vite: string, outDir: string): Promise<void> {
  const words = [vite, "build", "--outDir", outDir, "--logLevel", "error"];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`Vite ended with ${code}`))));
  });
}
