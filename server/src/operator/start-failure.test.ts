import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chown, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defer } from "../../test/defer.ts";
import { makeCertificate, startTcp } from "../../test/local-servers.ts";
import { administer, createTestDatabase, databaseUrl } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { type Config, readConfig } from "../service/config/config.ts";
import { runDoctor } from "./doctor.ts";
import { readDisk } from "../platform/disk.ts";
import { newUuid } from "../platform/ids.ts";
import { type Log, silentLog } from "../platform/log.ts";
import { startService } from "../service/start.ts";
import { explainStartFailure } from "./start-failure.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const mountingNeeds = "mounting a small disk needs root, on Linux";
const noSpaceOn = (folder: string) => `There is no space left on the disk of ${folder}. Free some, then start again.`;

async function configFor(t: TestContext, url: string, waitSeconds: number) {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return readConfig({
    DATABASE_URL: url,
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_DATABASE_WAIT_SECONDS: String(waitSeconds),
  });
}

/** Why the service does not start on this database. */
async function whyNot(t: TestContext, url: string, waitSeconds = 1): Promise<string> {
  return explainStart(await configFor(t, url, waitSeconds));
}

async function explainStart(config: Config): Promise<string> {
  try {
    const service = await startService(config, silentLog);
    await service.stop();
    return "it starts";
  } catch (error) {
    return explainStartFailure(error, config);
  }
}

test("a database that the service cannot work with is refused at the start, with the fix", async (t) => {
  const { connection, drop } = await createTestDatabase({ empty: true });
  const other = `other_${newUuid().replaceAll("-", "")}`;
  t.after(async () => {
    await administer(connection, `drop database if exists ${other} with (force)`);
    await administer(connection, `drop role if exists ${other}`);
    await drop();
  });
  await administer(connection, `create role ${other} login password '${other}'`);
  await administer(
    connection,
    `create database ${other} encoding 'LATIN1' template template0 locale_provider libc locale 'C'`,
  );
  const url = databaseUrl(connection);
  const latin = databaseUrl({ ...connection, database: other });
  const withoutRights = databaseUrl({ ...connection, user: other, password: other });
  const readOnly = `${url}&options=${encodeURIComponent("-c default_transaction_read_only=on")}`;

  assert.match(await whyNot(t, latin), /encoding LATIN1.*encoding 'UTF8'/);
  assert.match(await whyNot(t, readOnly), /takes no writes.*default_transaction_read_only = off/);
  assert.match(await whyNot(t, withoutRights), /lacks a right.*owner of its database/);
  assert.match(await whyNot(t, `${url}&sslmode=require`), /has no TLS.*sslmode/);
  assert.match(await whyNot(t, url.replace(/:[^:@]*@/, "@")), /has no password.*USER:PASSWORD@HOST/);

  const [latinFound, readOnlyFound, withoutRightsFound] = await Promise.all(
    [latin, readOnly, withoutRights].map((each) => findDatabaseFault(each)),
  );
  assert.match(latinFound ?? "", /encoding LATIN1.*encoding 'UTF8'/);
  assert.match(readOnlyFound ?? "", /takes no writes.*primary/);
  assert.match(withoutRightsFound ?? "", /may not create tables.*owner to USER/);
  assert.match((await findDatabaseFault(url)) ?? "", /lacks migrations.*next start/);
});

test("a start that waits for a database says at once what it waits for", { timeout: 60_000 }, async (t) => {
  const { connection, drop } = await createTestDatabase({ empty: true });
  t.after(drop);
  const readOnly = `${databaseUrl(connection)}&options=${encodeURIComponent("-c default_transaction_read_only=on")}`;
  const leaving = new AbortController();
  const said: object[] = [];
  const log: Log = {
    ...silentLog,
    warn(fields) {
      said.push(fields);
      leaving.abort();
    },
  };

  await assert.rejects(startService(await configFor(t, readOnly, 600), log, {}, leaving.signal));

  assert.match(JSON.stringify(said), /takes no writes.*Point DATABASE_URL at the primary/);
});

test(
  "a TLS connection that fails names the certificate, the file or the server's rule, and not host and port",
  { timeout: 60_000 },
  async (t) => {
    const certificate = makeCertificate(t, "elsewhere.example");
    if (!certificate) return;
    const [cert, key] = await Promise.all([readFile(certificate.certFile), readFile(certificate.keyFile)]);
    const encrypted = await startTcp(t, (socket) =>
      socket.once("data", () => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, cert, key }).on("error", () => undefined);
      }),
    );
    const refusal = 'no pg_hba.conf entry for host "127.0.0.1", user "waypost", database "waypost", no encryption';
    const refusing = await startTcp(t, (socket) =>
      socket.once("data", () => socket.end(errorResponse("28000", refusal))),
    );
    const url = (port: number, parameters: string) => `postgres://waypost@127.0.0.1:${port}/waypost?${parameters}`;
    const untrusted = url(encrypted.port, "sslmode=require");
    const otherName = url(
      encrypted.port,
      `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate.certFile)}`,
    );
    const noFile = url(encrypted.port, "sslmode=verify-full&sslrootcert=/nowhere/ca.pem");
    const unencrypted = url(refusing.port, "");

    assert.match(await whyNot(t, noFile, 600), /cannot be read/); // no time mends that
    for (const why of [(each: string) => whyNot(t, each), findDatabaseFault]) {
      assert.match((await why(untrusted)) ?? "", /certificate .* is not trusted \(self-signed.*sslrootcert=/);
      assert.match((await why(otherName)) ?? "", /certificate .* is for another host .*Put the name/);
      assert.match(
        (await why(noFile)) ?? "",
        /names a file that cannot be read \(ENOENT on \/nowhere\/ca.pem\).*sslrootcert/,
      );
      assert.match((await why(unencrypted)) ?? "", /no encryption\).*sslmode=verify-full/);
    }
  },
);

test("too few open files stop the start with the limit and the way to raise it, and doctor agrees", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const env = { PATH: process.env["PATH"] ?? "", WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" };
  const limited = (words: string) =>
    run("sh", ["-c", `ulimit -n 64; exec "$0" ${words}`, process.execPath], { cwd: root, env }).catch(
      (failed: { stdout: string; stderr: string }) => failed,
    );

  const [start, doctor] = await Promise.all([limited("server/src/main.ts"), limited("cli/bin/waypost.js doctor")]);

  assert.match(
    start.stderr,
    /may have 64 files and connections open at once.* needs 256 at least\. Raise the limit: ulimit -n/,
  );
  assert.match(doctor.stdout, /PROBLEM {2}open files: .* 64 files .* 256 at least\n +→ Raise the limit: ulimit -n/);
});

test("a user id without a name, as containers may have, gets an error that names the user to run as", async (t) => {
  if (process.getuid?.() !== 0) return t.skip("taking on another user id needs root");
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const nameless = 54_321;
  await chown(folder, nameless, nameless);
  const env = { PATH: process.env["PATH"] ?? "", WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" };

  const { stderr } = await run(process.execPath, ["server/src/main.ts"], { cwd: root, env }).catch(
    (failed: { stderr: string }) => failed,
  );

  assert.match(
    stderr,
    /user id 54321 has none on this system\. Run Waypost as a user of \/etc\/passwd, or set DATABASE_URL/,
  );
});

// The first ends in initdb in the middle of a page, the second between two, the third in the migrations.
for (const size of ["20m", "30m", "39m"]) {
  test(`a disk of ${size} is too small for a first start, which says so at once`, { timeout: 50_000 }, async (t) => {
    const folder = await mountDisk(t, size);
    if (folder === undefined) return t.skip(mountingNeeds);

    assert.equal(await whyNotOn(folder), noSpaceOn(folder));
  });
}

// The first stops before PostgreSQL is launched, the second PostgreSQL itself, which cannot log it.
for (const freeBytes of [4_096, 8_192]) {
  const leaves = `a later start that finds ${freeBytes} bytes`;
  test(`${leaves} on its disk says at once that it is full`, { timeout: 25_000 }, async (t) => {
    const folder = await mountDisk(t, "60m");
    if (folder === undefined) return t.skip(mountingNeeds);
    assert.equal(await whyNotOn(folder), "it starts");
    await fillDisk(folder, freeBytes);

    assert.equal(await whyNotOn(folder), noSpaceOn(folder));
  });
}

test("a disk that is mounted read-only is called that", async (t) => {
  const folder = await mountDisk(t, "1m");
  if (folder === undefined) return t.skip(mountingNeeds);
  await mkdir(join(folder, "postgres"));
  await run("mount", ["-o", "remount,ro", folder]);

  assert.match(await whyNotOn(folder), /takes no writes \(EROFS on .*Mount it for writing/);
  const findings = await runDoctor(() => readConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" }));
  assert.match(findings.find(({ check }) => check === "data folder")?.says ?? "", /takes no writes/);
});

test("a secret that cannot be read ends the start at once, with the file", { timeout: 60_000 }, async (t) => {
  const { connection, drop } = await createTestDatabase({ empty: true });
  t.after(drop);
  const config = await configFor(t, databaseUrl(connection), 600);
  const path = join(config.dataFolder, "key-pepper");

  await symlink(path, path);
  assert.match(await explainStart(config), /ELOOP on .*key-pepper/);
  await rm(path);
  await mkdir(path);
  assert.match(await explainStart(config), /key-pepper is a folder.*mount the file/);
});

/** A folder that is a disk of that size; undefined where none can be mounted. */
async function mountDisk(t: TestContext, size: string): Promise<string | undefined> {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  const options = `size=${size},mode=0711`;
  const mounted = await run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).catch(() => undefined);
  if (!mounted) return undefined;
  defer(t, () => run("umount", [folder]));
  return folder;
}

async function fillDisk(folder: string, freeBytes: number) {
  const { freeBytes: before } = await readDisk(folder);
  await writeFile(join(folder, "filling"), Buffer.alloc(before - freeBytes));
}

/** Why the service does not start on the embedded PostgreSQL of this folder. */
function whyNotOn(folder: string): Promise<string> {
  return explainStart(readConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" }));
}

/** The finding of `waypost doctor` about this database, with its fix. */
async function findDatabaseFault(url: string): Promise<string | undefined> {
  const findings = await runDoctor(() =>
    readConfig({ DATABASE_URL: url, WAYPOST_DATA_DIR: "/nowhere/at/all", WAYPOST_PORT: "0" }),
  );
  const fault = findings.find(({ check }) => check === "database");
  return fault && `${fault.says} ${fault.fix}`;
}

/** As PostgreSQL sends it. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test("a data folder that cannot be made is told at once", { skip: process.platform !== "linux" }, async () => {
  const reason = await explainStart(readConfig({ WAYPOST_DATA_DIR: "/proc/nope", WAYPOST_PORT: "0" }));

  assert.match(reason, /^The data folder \/proc\/nope cannot be made: .* Set WAYPOST_DATA_DIR to another one\.$/);
});

test("a data folder that is a file, or lies in one, is called that", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const file = join(folder, "file");
  await writeFile(file, "");

  for (const path of [file, join(file, "data")]) {
    const reason = await explainStart(readConfig({ WAYPOST_DATA_DIR: path, WAYPOST_PORT: "0" }));

    assert.equal(reason, `The data folder ${path} is a file, or lies in one. Set WAYPOST_DATA_DIR to a folder.`);
  }
});
