import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type pg from "pg";
import { type Part, readArchive, writeArchive } from "../platform/archive/index.ts";
import { readOrCreateSecret } from "../platform/crypto/secret-file.ts";
import { makeFolderDurably } from "../platform/durable-files.ts";
import { advisoryLocks } from "../platform/postgres/advisory-locks.ts";
import type { Connection } from "../platform/postgres/database.ts";
import { holdWork } from "../platform/postgres/held-work.ts";
import { type Migration, migrate, readMigrations } from "../platform/postgres/migrate.ts";
import { connectPatiently, copyPartIn, copyTablesOut, emptyTables, textOf } from "../platform/postgres/table-copies.ts";

/** What an installation cannot be rebuilt without, beside its rows. */
export type InstallationSecrets = { keyPepper: string; masterKeys: string[] };

type BackUp = {
  connection: Connection;
  readSecrets(): Promise<InstallationSecrets>;
  path: string;
  passphrase: string | undefined;
};

/** Writes the whole installation, as it was at one moment, to a file. The service may be running. */
export async function backUp({ connection, readSecrets, path, passphrase }: BackUp): Promise<void> {
  const client = await connectPatiently(connection);
  async function* parts(): AsyncGenerator<Part> {
    const before = await readSecrets();
    await client.query("begin isolation level repeatable read read only");
    yield textPart("migrations", await appliedMigrations(client));
    yield* copyTablesOut(client);
    await client.query("commit");
    const after = await readSecrets();
    // A change of the master key may fall into the copy: then its rows need the key from before or after.
    yield textPart("secrets", { ...after, masterKeys: [...new Set([...after.masterKeys, ...before.masterKeys])] });
  }
  try {
    await writeArchive(path, parts(), passphrase);
  } finally {
    await client.end();
  }
}

type Restore = {
  /** Called once the backup has proved readable; may create a database first. */
  reach(): Promise<Connection>;
  path: string;
  passphrase: string | undefined;
  keepSecrets(secrets: InstallationSecrets): Promise<void>;
};

/** Fills an empty installation from a backup, or leaves it empty. Its work is held until an operator resumes it. */
export async function restore({ reach, path, passphrase, keepSecrets }: Restore): Promise<void> {
  const known = await readMigrations();
  let connection: Connection | undefined;
  let client: pg.Client | undefined;
  try {
    await readArchive(path, passphrase, async (parts) => {
      let secrets: InstallationSecrets | undefined;
      for await (const part of parts) {
        if (!client) {
          const migrations = chosenMigrations(known, await appliedIn(part));
          connection = await reach();
          client = await connectPatiently(connection);
          await migrate(connection, migrations);
          await beginEmpty(client);
        } else if (part.name === "secrets") secrets = JSON.parse(await textOf(part.chunks)) as InstallationSecrets;
        else if (!(await copyPartIn(client, part)))
          throw new Error(`The backup has a part ${part.name}; restore it with the version of Waypost that made it.`);
      }
      if (!secrets) throw new Error("The backup has no secrets in it.");
      // What was made from the original is not of this copy.
      await client?.query("update installation set value = gen_random_uuid() where name = 'identity'");
      // A sample that the original did not have comes no more.
      await client?.query("delete from installation where name = 'sample' and value = 'wanted'");
      // Before the commit: killed in between, the installation is still empty and the same restore can run again.
      await keepSecrets(secrets);
      await client?.query(holdWork.text, [...holdWork.values]);
      await client?.query("commit");
    });
  } finally {
    await client?.end();
  }
  if (connection) await migrate(connection, known);
}

async function beginEmpty(client: pg.Client) {
  await client.query("begin");
  // A service that starts meanwhile waits here before it makes its first organization.
  await client.query("select pg_advisory_xact_lock($1)", [advisoryLocks.firstStart]);
  const { rows } = await client.query<{ used: boolean }>("select exists (select from organizations) as used");
  if (rows[0]?.used) {
    throw new Error(
      "This installation has data already, and a restore overwrites nothing. Set WAYPOST_DATA_DIR to an empty folder, or DATABASE_URL to an empty database.",
    );
  }
  await emptyTables(client);
}

type AppliedMigration = { name: string; checksum: string };

async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>("select name, checksum from schema_migrations order by name");
  return rows;
}

/** Reads the first part of a backup. */
async function appliedIn(first: Part): Promise<AppliedMigration[]> {
  if (first.name === "migrations") return JSON.parse(await textOf(first.chunks)) as AppliedMigration[];
  throw new Error(`The backup begins with a part ${first.name}; restore it with the version of Waypost that made it.`);
}

/** The schema that the backup was made with; this version's later migrations come after the rows. */
function chosenMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  return applied.map(({ name, checksum }) => {
    const migration = known.find((each) => each.name === name && each.checksum === checksum);
    if (!migration) {
      throw new Error(`The backup has migration ${name} of another version of Waypost. Restore it with that version.`);
    }
    return migration;
  });
}

function textPart(name: string, value: unknown): Part {
  return { name, chunks: Readable.from([Buffer.from(JSON.stringify(value))]) };
}

/** Keeps restored secrets in the data folder, unless the environment has them. */
export async function keepSecretsIn(
  folder: string,
  secrets: InstallationSecrets,
  configured: { keyPepper: string | undefined; masterKeys: string[] | undefined },
): Promise<void> {
  await makeFolderDurably(folder);
  if (configured.keyPepper === undefined) await keepSecret(join(folder, "key-pepper"), secrets.keyPepper);
  else if (configured.keyPepper !== secrets.keyPepper) throw new Error(otherSecret("WAYPOST_KEY_PEPPER"));
  if (configured.masterKeys === undefined) await keepSecret(join(folder, "master-key"), secrets.masterKeys.join("\n"));
  else if (!secrets.masterKeys.some((key) => configured.masterKeys?.includes(key))) {
    throw new Error(otherSecret("WAYPOST_MASTER_KEY"));
  }
}

async function keepSecret(path: string, secret: string) {
  if ((await readOrCreateSecret(path, () => secret)) === secret) return;
  throw new Error(`${path} holds another secret than the backup. Restore into an empty data folder.`);
}

function otherSecret(name: string): string {
  return `${name} is set to another value than the backup's. Unset it, or set it to what it was when the backup was made.`;
}

/** The first line of a file, as a passphrase; `-` reads standard input. */
export async function readPassphrase(path: string): Promise<string> {
  const text = await readFile(path === "-" ? "/dev/stdin" : path, "utf8");
  const passphrase = text.split("\n")[0]?.trim() ?? "";
  if (passphrase.length >= 12) return passphrase;
  throw new Error(`The passphrase in ${path} must have at least 12 characters.`);
}
