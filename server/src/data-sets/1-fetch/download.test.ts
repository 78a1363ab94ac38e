import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import type { Outbound, OutboundResponse } from "../../platform/net/outbound.ts";
import { OutboundFailure } from "../../platform/net/outbound-failure.ts";
import { withDownloadFolder } from "./download-folder.ts";
import { download } from "./download.ts";

const content = Buffer.from("name,lat,lon\nAdler,47.1,9.5\n");

test("the whole file is fetched from a server that does not say its length", async (t) => {
  const asked: (string | undefined)[] = [];
  const stored = await downloaded(t, ({ Range: range }) => {
    asked.push(range);
    return range ? part(0, 10, "*") : { status: 200, headers: {}, body: content };
  });

  assert.deepEqual(stored, content);
  assert.deepEqual(asked, ["bytes=0-9", undefined]);
});

test("a part that fails is fetched again a few times, and earlier parts are kept", async (t) => {
  const failures = [() => new OutboundFailure("reset"), () => ({ status: 503, headers: {}, body: content })];
  let asked = 0;
  const answerOf = (failuresMax: number) => (headers: Record<string, string>) => {
    const from = Number(/\d+/.exec(headers["Range"] ?? "")?.[0]);
    const failure = from > 0 && asked < failuresMax ? failures[asked % 2]?.() : undefined;
    asked += from > 0 ? 1 : 0;
    if (failure instanceof Error) throw failure;
    return failure ?? part(from, Math.min(from + 10, content.length));
  };

  assert.deepEqual(await downloaded(t, answerOf(2)), content);
  assert.equal(asked, 4);
  asked = 0;
  await assert.rejects(downloaded(t, answerOf(99)), {
    message: /the target closed the connection before|answered 503/,
  });
  assert.equal(asked, 3);
});

test("a part that the server does not have, or another file, is not asked for again", async (t) => {
  let asked = 0;
  const gone = downloaded(t, ({ Range: range }) => {
    asked += 1;
    return range === "bytes=0-9" ? part(0, 10) : { status: 404, headers: {}, body: content };
  });

  await assert.rejects(gone, { message: /it answered 404\. Nothing/ });
  assert.equal(asked, 2);
});

test("a part that begins elsewhere than asked is not taken", async (t) => {
  const shifted = downloaded(t, () => part(10, 20));
  const repeated = downloaded(t, () => part(0, 10));

  await assert.rejects(shifted, { message: /its server answers with parts that Waypost did not ask for\. Nothing/ });
  await assert.rejects(repeated, { message: /its server answers with parts that Waypost did not ask for\. Nothing/ });
});

test("a file that is another one halfway is not taken", async (t) => {
  const changed = downloaded(t, ({ Range: range }) =>
    range === "bytes=0-9" ? part(0, 10) : part(10, 20, String(content.length + 1)),
  );

  await assert.rejects(changed, { message: /it changed while it was read; try again\. Nothing/ });
});

test("a failed download says why", async (t) => {
  const cases: [OutboundFailure, RegExp][] = [
    [
      new OutboundFailure("bad_url", "The URL must not contain a user name or password."),
      /: the URL must not contain a user name or password\. Nothing/,
    ],
    [new OutboundFailure("bad_response"), /: its server's answer breaks off or is not valid HTTP\. Nothing/],
    [new OutboundFailure("too_many_redirects"), /: the target redirected too often\. Nothing/],
  ];
  for (const [failure, message] of cases) {
    const failed = downloaded(t, () => {
      throw failure;
    });

    await assert.rejects(failed, { message });
  }
});

// The limit on a file's size stands for a full disk: the last write that fits is a short one and no failure.
for (const [how, status] of [
  ["whole", 200],
  ["in parts", 206],
] as const) {
  test(`a file that comes ${how} and that the disk has no room for is not taken`, async (t) => {
    const parent = await folderOf(t);
    const script = `
      import { withDownloadFolder } from ${JSON.stringify(import.meta.resolve("./download-folder.ts"))};
      import { download } from ${JSON.stringify(import.meta.resolve("./download.ts"))};
      const headers = { "content-range": "bytes 0-99999/100000" };
      const answer = { status: ${status}, headers, body: Buffer.alloc(100_000), truncated: false };
      const options = { outbound: { request: async () => answer }, signal: new AbortController().signal };
      const stored = withDownloadFolder(${JSON.stringify(parent)}, (folder) => download("https://x", folder + "/x", options));
      console.log(await stored.then(() => "stored", (error) => error.message));
    `;

    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      'ulimit -f 64; exec "$0" --input-type=module --eval "$1"',
      process.execPath,
      script,
    ]);

    assert.match(stdout, /^A download cannot be stored in .*: its disk is full\. Nothing was changed;/);
    assert.deepEqual(await readdir(parent), []);
  });
}

test("folders of imports that were killed are cleared away, those of others are not", async (t) => {
  const parent = await folderOf(t);
  const host = hostname().replaceAll(/[^\w.]/g, "_");
  const names = {
    killed: `waypost-import-${host}-${await endedPid()}-abcdef`,
    running: `waypost-import-${host}-${process.pid}-abcdef`,
    elsewhere: `waypost-import-other.${host}-1-abcdef`,
    older: "waypost-import-abcdef",
    olderUnused: "waypost-import-ABCDEF",
    olderUsed: "waypost-import-123456",
  };
  for (const name of Object.values(names)) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, "download"), content);
  }
  const lastMonth = new Date(Date.now() - 30 * 24 * 3_600_000);
  const unused = [names.running, names.olderUnused];
  for (const name of unused) await utimes(join(parent, name, "download"), lastMonth, lastMonth);
  for (const name of [...unused, names.olderUsed]) await utimes(join(parent, name), lastMonth, lastMonth);

  const during = await withDownloadFolder(parent, () => readdir(parent));

  const after = await readdir(parent);
  const kept = [names.running, names.elsewhere, names.older, names.olderUsed];
  assert.equal(during.length, kept.length + 1);
  assert.deepEqual(after.toSorted(), kept.toSorted());
});

test("a folder that is not there, and a disk that is full, are named", async (t) => {
  const parent = await folderOf(t);
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

  const missing = withDownloadFolder(join(parent, "missing"), async () => undefined);
  const filled = withDownloadFolder(parent, async () => {
    throw full;
  });

  await assert.rejects(missing, { message: /in .*missing: there is no such folder\. Nothing was changed; TMPDIR/ });
  await assert.rejects(filled, {
    message: `A download cannot be stored in ${parent}: its disk is full. Nothing was changed; TMPDIR can name another folder.`,
  });
  assert.deepEqual(await readdir(parent), []);
});

type Answer = Pick<OutboundResponse, "status" | "headers" | "body">;

function part(from: number, to: number, total = String(content.length)): Answer {
  const headers = { "content-range": `bytes ${from}-${to - 1}/${total}` };
  return { status: 206, headers, body: content.subarray(from, to) };
}

/** What is stored of a file whose server answers so, ten bytes at a time. */
test("a file is as old as its server says", async (t) => {
  const folder = await folderOf(t);
  const headers = { "last-modified": "Mon, 04 May 2026 00:00:00 GMT" };

  await downloaded(t, () => ({ status: 200, headers, body: content }), folder);

  assert.equal((await stat(join(folder, "download"))).mtime.toISOString(), "2026-05-04T00:00:00.000Z");
});

async function downloaded(
  t: TestContext,
  answer: (headers: Record<string, string>) => Answer,
  folder?: string,
): Promise<Buffer> {
  const path = join(folder ?? (await folderOf(t)), "download");
  const outbound: Outbound = {
    request: async ({ url, headers = {} }) => ({ ...answer(headers), truncated: false, url }),
    check: async () => undefined,
    close: async () => undefined,
  };
  const { signal } = new AbortController();
  await download("https://example.org/places.csv", path, { outbound, signal, chunkBytes: 10, pausesMs: [0, 0] });
  return readFile(path);
}

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-download-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The number that a process had. */
async function endedPid(): Promise<number> {
  const child = execFile(process.execPath, ["--version"]);
  await new Promise((resolve) => child.once("close", resolve));
  return child.pid ?? 0;
}
