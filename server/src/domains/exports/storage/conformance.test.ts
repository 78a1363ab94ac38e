import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { access, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { startExports } from "../../../../test/exports.ts";
import { startHttp } from "../../../../test/local-servers.ts";
import { openS3Server } from "../../../../test/s3-server.ts";
import { makeTempFolder, removeFolder } from "../../../../test/temp-folder.ts";
import { type FileStore, openFileStore } from "./file-store.ts";
import { createS3Storage, type S3Settings } from "./s3.ts";
import { StorageFailed } from "./storage.ts";

const require = createRequire(import.meta.url);
const credentials = { accessKeyId: "AKIDTEST", secretAccessKey: "a secret that only tests know" };
const region = "us-east-1";
const noSignal = new AbortController().signal;

async function openS3(t: TestContext, changes: Partial<S3Settings> = {}) {
  const server = await openS3Server(t, { ...credentials, region });
  const settings: S3Settings = {
    bucket: "exports",
    prefix: "waypost/",
    endpoint: server.endpoint,
    region,
    credentials,
    pathStyle: true,
    checksums: "WHEN_REQUIRED",
    ...changes,
  };
  return { server, settings };
}

async function tempStore(t: TestContext, settings?: S3Settings): Promise<FileStore> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return openFileStore(folder, settings);
}

type S3rver = new (options: object) => { run(): Promise<AddressInfo>; close(): Promise<void> };

/** A server that is not ours. It checks signatures, and knows one pair of keys. */
async function openForeignS3(t: TestContext): Promise<S3Settings> {
  const S3rver = require("@20minutes/s3rver") as S3rver; // the package has no types
  const directory = await makeTempFolder();
  const options = { address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: [{ name: "exports" }] };
  const server = new S3rver(options);
  const { port } = await server.run();
  t.after(async () => {
    await server.close();
    await removeFolder(directory);
  });
  const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  const settings = { endpoint: `http://127.0.0.1:${port}`, credentials: keys };
  return { ...(await openS3(t)).settings, ...settings };
}

const stores: Record<string, (t: TestContext) => Promise<FileStore>> = {
  "a local folder": (t) => tempStore(t),
  "S3 without checksums": async (t) => tempStore(t, (await openS3(t)).settings),
  "S3 with checksums": async (t) => tempStore(t, (await openS3(t, { checksums: "WHEN_SUPPORTED" })).settings),
};

/** Stores files, one of them larger than two parts of a multipart upload, and reads them back whole and in parts. */
async function keepFiles({ storage, workFolder }: FileStore) {
  const contents = [randomBytes(17 * 1024 * 1024 + 7), Buffer.from("small"), Buffer.from("x")];
  for (const [index, content] of contents.entries()) {
    const path = join(workFolder, `work-${index}`);
    await writeFile(path, content);
    await storage.put(`key-${index}.csv`, path, "text/csv", noSignal);
  }

  const read = async (key: string, start: number, end: number) => {
    const stream = await storage.read(key, { start, end });
    return stream && Buffer.concat(await stream.toArray());
  };
  for (const [index, content] of contents.entries()) {
    assert.ok((await read(`key-${index}.csv`, 0, content.length - 1))?.equals(content), `key-${index}`);
  }
  const middle = contents[0]?.subarray(8_388_600, 8_388_700);
  assert.ok(middle && (await read("key-0.csv", 8_388_600, 8_388_699))?.equals(middle), "across two parts");
  assert.equal(await read("key-9.csv", 0, 1), undefined);
  await assert.rejects(read("key-1.csv", 0, 5), StorageFailed, "of a file that became shorter nothing is read");
  return read;
}

for (const [name, open] of Object.entries(stores)) {
  test(`${name}: files are kept whole, read in parts, listed and removed`, async (t) => {
    const store = await open(t);
    const { storage } = store;
    const read = await keepFiles(store);

    const keys = [];
    for await (const { key, storedAt } of storage.list()) {
      keys.push(key);
      assert.ok(Math.abs(Date.now() - storedAt.getTime()) < 600_000);
    }
    assert.deepEqual(keys.sort(), ["key-0.csv", "key-1.csv", "key-2.csv"]);
    await storage.remove(["key-0.csv", "key-1.csv", "gone-already.csv"]);
    assert.equal(await read("key-0.csv", 0, 1), undefined);
    assert.equal((await read("key-2.csv", 0, 0))?.toString(), "x");
  });
}

// It refuses the signature of lists, so only what an export and its download do is tried on it.
test("S3 of another maker: files are kept whole and read in parts, and a wrong secret is refused", async (t) => {
  const settings = await openForeignS3(t);

  await keepFiles(await tempStore(t, settings));

  const wrong = createS3Storage({ ...settings, credentials: { accessKeyId: "S3RVER", secretAccessKey: "another" } });
  await assert.rejects(wrong.read("key-1.csv", { start: 0, end: 1 }), StorageFailed);
});

test("an upload that is stopped leaves nothing behind", async (t) => {
  const { server, settings } = await openS3(t);
  const { storage, workFolder } = await tempStore(t, settings);
  const path = join(workFolder, "work");
  await writeFile(path, randomBytes(30 * 1024 * 1024));
  const stopped = AbortSignal.abort();

  await assert.rejects(storage.put("key.csv", path, "text/csv", stopped), StorageFailed);

  assert.equal(server.objects.size, 0);
});

test("an upload may take its time as long as something moves, and none that hangs", async (t) => {
  const answerMs = 500;
  const slow = await startHttp(t, (request, response) => {
    request.resume();
    const ticks = setInterval(() => response.writeProcessing(), 20);
    setTimeout(() => {
      clearInterval(ticks);
      response.end();
    }, 3 * answerMs);
  });
  const silent = await startHttp(t, (request) => void request.resume());
  const { settings } = await openS3(t);
  const { workFolder } = await tempStore(t);
  const path = join(workFolder, "work");
  await writeFile(path, "content");
  const put = ({ port }: { port: number }) =>
    createS3Storage({ ...settings, endpoint: `http://127.0.0.1:${port}` }, answerMs).put(
      "k",
      path,
      "text/csv",
      noSignal,
    );

  await put(slow);
  await assert.rejects(put(silent), StorageFailed);
});

test("uploads that a dead process left unfinished are dropped, young ones stay", async (t) => {
  const { server, settings } = await openS3(t);
  const { storage } = await tempStore(t, settings);
  const begun = { key: "waypost/key.csv", contentType: "text/csv", parts: new Map<number, Buffer>() };
  server.uploads.set("old", { ...begun, initiated: new Date(Date.now() - 3_600_000) });
  server.uploads.set("young", { ...begun, initiated: new Date() });

  await storage.dropUnfinished(new Date(Date.now() - 60_000));

  assert.deepEqual([...server.uploads.keys()], ["young"]);
});

// The loop that removes files runs as long as some go: one that believed in it would ask again and again.
test("files that a bucket does not let go are not counted as removed", async (t) => {
  const { server, settings } = await openS3(t);
  const { storage } = await tempStore(t, settings);
  server.objects.set("waypost/key.csv", { content: Buffer.from("x"), contentType: "text/csv", modified: new Date() });
  server.protect();

  await assert.rejects(storage.remove(["key.csv"]), StorageFailed);
});

test("a bucket that answers with other bytes than it was asked for is a failure", async (t) => {
  const { server, settings } = await openS3(t);
  const { storage } = await tempStore(t, settings);
  server.objects.set("waypost/key.csv", {
    content: Buffer.from("12345"),
    contentType: "text/csv",
    modified: new Date(),
  });
  server.ignoreRanges();

  assert.equal(String((await storage.read("key.csv", { start: 0, end: 4 }))?.read()), "12345");
  await assert.rejects(storage.read("key.csv", { start: 2, end: 4 }), StorageFailed);
});

// The positive control: a server that accepts anything would prove nothing.
test("the strict server refuses a wrong secret and another region", async (t) => {
  const { settings } = await openS3(t);
  const wrong: Partial<S3Settings>[] = [
    { credentials: { ...credentials, secretAccessKey: "another" } },
    { credentials: { ...credentials, accessKeyId: "AKIDOTHER" } },
    { region: "eu-central-1" },
  ];

  for (const changes of wrong) {
    const storage = createS3Storage({ ...settings, ...changes });
    await assert.rejects(storage.read("key.csv", { start: 0, end: 1 }), StorageFailed);
  }
  await assert.doesNotReject(createS3Storage(settings).read("key.csv", { start: 0, end: 1 }));
});

test("an export in S3 is downloaded through the service, and its bucket may be away", async (t) => {
  const { server, settings } = await openS3(t);
  const files = await tempStore(t, settings);
  const api = await startExports(t, { files });
  const { data } = await api.givenExport("ndjson");

  const whole = await api.download(data.download_url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  assert.equal(whole.status, 200);
  assert.equal(bytes.length, data.size_bytes);
  const part = await api.download(data.download_url, { headers: { Range: "bytes=5-9" } });
  assert.equal(part.status, 206);
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5, 10)));
  assert.equal(server.objects.size, 1);
  await assert.rejects(access(join(files.workFolder, "work")));

  server.setAway(true);
  const away = await api.download(data.download_url);
  assert.equal(away.status, 503);
  assert.equal(((await away.json()) as any).error.code, "temporarily_unavailable");
});
