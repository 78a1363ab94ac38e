import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrations } from "../src/platform/postgres/migrate.ts";

export const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

/** The SHA-256 of each released migration, by file name. */
type Seals = Record<string, string>;

export async function readSeals(folder: string): Promise<Seals> {
  return JSON.parse(await readFile(join(folder, "checksums.json"), "utf8")) as Seals;
}

/** The released migrations that have been changed or removed since, each in a sentence. */
export async function brokenSeals(folder: string): Promise<string[]> {
  const checksums = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]));
  return Object.entries(await readSeals(folder)).flatMap(([name, sealed]) => {
    if (checksums.get(name) === sealed) return [];
    const verb = checksums.has(name) ? "changed" : "removed";
    return [`${name} was ${verb} after its release: restore it and write a new migration.`];
  });
}

/** Records every migration as released; resolves to the names that are new. */
export async function sealMigrations(folder: string): Promise<string[]> {
  const broken = await brokenSeals(folder);
  if (broken.length > 0) throw new Error(broken.join("\n"));
  const before = await readSeals(folder);
  const migrations = await readMigrations(folder);
  const seals: Seals = Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum]));
  await writeFile(join(folder, "checksums.json"), `${JSON.stringify(seals, null, 2)}\n`);
  return Object.keys(seals).filter((name) => !(name in before));
}
