import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { extname, join, posix } from "node:path";
import { promisify } from "node:util";
import { buildDashboardWhenStale } from "../../cli/src/dashboard.ts";
import { buildPackage } from "../../sdk/scripts/package.ts";
import { buildWaypost } from "./build.ts";

const run = promisify(execFile);

export type Packed = { name: string; folder: string; tarball: string; files: string[]; bytes: number };

/** Builds both packages, and packs them into the folder as npm would publish them. */
export async function packAll(folder: string): Promise<Packed[]> {
  const [waypost, sdk] = [join(folder, "waypost"), join(folder, "sdk")];
  if (!(await buildDashboardWhenStale())) throw new Error("There are no pages to pack.");
  await mkdir(folder, { recursive: true });
  await Promise.all([buildWaypost(waypost), buildPackage(sdk)]);
  const { stdout } = await npm(folder, "pack", waypost, sdk, "--json");
  const packed = JSON.parse(stdout) as { name: string; filename: string; size: number; files: { path: string }[] }[];
  return packed.map(({ name, filename, size, files }) => ({
    name,
    folder: name === "waypost" ? waypost : sdk,
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
    bytes: size,
  }));
}

/**
 * What the packages contain, a line for the files of one kind in one folder: whoever adds a module changes no list, and
 * whoever adds a folder or another kind of file does.
 */
export function listContents(packed: readonly Packed[]): string {
  const lines = packed.flatMap(({ name, files }) => files.map((path) => `${name}/${kindOf(path)}`));
  return `${[...new Set(lines)].toSorted().join("\n")}\n`;
}

function kindOf(path: string): string {
  const ending = path.endsWith(".js.map") ? ".js.map" : path.endsWith(".d.ts") ? ".d.ts" : extname(path);
  return /\.(js|map|ts|css|txt|sql)$/.test(ending) ? posix.join(posix.dirname(path), `*${ending}`) : path;
}

/** The npm that runs this, or the one beside Node. */
export async function npm(cwd: string, ...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const options = { cwd, maxBuffer: 64 << 20 };
  const cli = process.env["npm_execpath"];
  return cli ? run(process.execPath, [cli, ...words], options) : run("npm", words, options);
}
