import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeTempFolder, removeFolder } from "../../../test/temp-folder.ts";
import { type Part, readArchive, writeArchive } from "./index.ts";

const passphrase = "a passphrase of this test";
const contents = {
  small: [Buffer.from("few")],
  empty: [],
  large: Array.from({ length: 40 }, () => randomBytes(9_000)),
};

async function* parts(): AsyncGenerator<Part> {
  for (const [name, chunks] of Object.entries(contents)) {
    async function* each() {
      yield* chunks;
    }
    yield { name, chunks: each() };
  }
}

async function read(path: string, secret?: string): Promise<Record<string, Buffer>> {
  const found: Record<string, Buffer> = {};
  await readArchive(path, secret, async (all) => {
    for await (const { name, chunks } of all) {
      const held: Buffer[] = [];
      for await (const chunk of chunks) held.push(chunk);
      found[name] = Buffer.concat(held);
    }
  });
  return found;
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

for (const secret of [undefined, passphrase]) {
  const kind = secret ? "an encrypted" : "a plain";

  test(`${kind} archive gives back what was put in, and only its owner may read it`, async (t) => {
    const path = join(await newFolder(t), "archive");

    await writeArchive(path, parts(), secret);

    const found = await read(path, secret);
    for (const [name, chunks] of Object.entries(contents)) assert.deepEqual(found[name], Buffer.concat(chunks));
    await assert.rejects(writeArchive(path, parts(), secret), /exists already/);
  });

  test(`${kind} archive that was cut short or changed anywhere is refused`, async (t) => {
    const folder = await newFolder(t);
    const path = join(folder, "archive");
    await writeArchive(path, parts(), secret);
    const bytes = await readFile(path);
    const start = bytes.indexOf("\n") + 1;
    const damaged = join(folder, "damaged");

    const rounds = secret ? 4 : 40; // making the key from a passphrase is slow on purpose
    for (let round = 0; round < rounds; round += 1) {
      const at = start + Math.floor(((bytes.length - start) * round) / rounds);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      // The gzip header has bytes that mean nothing, such as the time; a change there changes no content.
      await writeFile(damaged, changed);
      const outcome = await read(damaged, secret).catch(() => "refused");
      if (outcome !== "refused") assert.ok(secret === undefined && at < start + 10, `byte ${at}`);
      await writeFile(damaged, bytes.subarray(0, at));
      await assert.rejects(read(damaged, secret), `${at} bytes`);
    }
  });
}

test("an encrypted archive shows nothing, and opens with its passphrase only", async (t) => {
  const path = join(await newFolder(t), "archive");
  await writeArchive(path, parts(), passphrase);

  await assert.rejects(read(path), /is encrypted. Set WAYPOST_BACKUP_PASSPHRASE/);
  await assert.rejects(read(path, "another passphrase"), /The passphrase is wrong/);
  await assert.rejects(read(new URL(import.meta.url).pathname), /not a backup/);
});

test("a backup that fails leaves no file behind", async (t) => {
  const folder = await newFolder(t);
  async function* failing(): AsyncGenerator<Part> {
    yield* parts();
    throw new Error("the database went away");
  }

  await assert.rejects(writeArchive(join(folder, "archive"), failing()), /the database went away/);

  assert.deepEqual(await readdir(folder), []);
});

test("a file that cannot be written or read is named, with the reason", async (t) => {
  const folder = await newFolder(t);
  const [missing, nowhere] = [join(folder, "missing"), join(folder, "nowhere/archive")];

  await assert.rejects(read(missing), { message: `${missing} cannot be read: there is no such file or folder.` });
  await assert.rejects(writeArchive(nowhere, parts()), {
    message: `${nowhere} cannot be written: there is no such file or folder.`,
  });
});

test("of two archives that are written to one file at once the first stays whole, and the other is refused", async (t) => {
  const folder = await newFolder(t);
  const path = join(folder, "archive");
  const begun = Promise.withResolvers<void>();
  const isWhole = Promise.withResolvers<void>();
  async function* slowParts(): AsyncGenerator<Part> {
    begun.resolve();
    await isWhole.promise;
    yield* parts();
  }
  const late = writeArchive(path, slowParts());
  await begun.promise;

  await writeArchive(path, parts());
  isWhole.resolve();

  await assert.rejects(late, /exists already/);
  const found = await read(path);
  assert.deepEqual(found["large"], Buffer.concat(contents.large));
  assert.deepEqual(await readdir(folder), ["archive"]);
});
