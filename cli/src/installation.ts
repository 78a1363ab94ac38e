import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type Ended, runHosted } from "../test/waypost.ts";
import { createTestDatabase, databaseUrl } from "../../server/test/postgres.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** A command line on a database of its own. */
export async function givenInstallation(t: TestContext) {
  const { connection, drop } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "waypost-catalog-"));
  t.after(async () => {
    await drop();
    await rm(folder, { recursive: true, force: true });
  });
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl(connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_OUTBOUND_ALLOW: "imports=127.0.0.0/8",
  };
  const start = (...words: string[]) => spawn(process.execPath, [main, ...words], { env, stdio: "pipe" });

  const run = (...words: string[]): Promise<Ended> => runHosted(words, env);

  async function file(name: string, content: string | Buffer): Promise<string> {
    await writeFile(join(folder, name), content, "latin1");
    return join(folder, name);
  }

  async function list(): Promise<{ name: string; places: number }[]> {
    const { out } = await run("catalog", "list", "--json");
    const { data_sets: sets } = JSON.parse(out) as { data_sets: { name: string; places: number }[] };
    return sets.map(({ name, places }) => ({ name, places }));
  }

  return { connection, env, run, start, file, list };
}

/** Resolves when the process has said so on standard error. */
export async function said(child: ChildProcess, what: RegExp): Promise<void> {
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += String(chunk);
    if (what.test(text)) return;
  }
  throw new Error(`The process ended without saying ${what}: ${text}`);
}
