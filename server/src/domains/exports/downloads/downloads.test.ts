import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startExports } from "../../../../test/exports.ts";
import { newId } from "../../../platform/ids.ts";
import { formats } from "../export.ts";
import type { FileStore } from "../storage/file-store.ts";
import { StorageFailed } from "../storage/storage.ts";

const minuteMs = 60_000;

test("a download carries the headers of a private file", async (t) => {
  const api = await startExports(t);
  const { data } = await api.givenExport("csv");

  const response = await api.download(data.download_url);
  await response.arrayBuffer();

  const header = (name: string) => response.headers.get(name);
  assert.equal(header("content-type"), "text/csv; charset=utf-8; header=present");
  assert.equal(header("content-length"), String(data.size_bytes));
  const name = `coffee-in-vaduz-${data.created_at.slice(0, 10)}.csv`;
  assert.equal(header("content-disposition"), `attachment; filename="${name}"; filename*=UTF-8''${name}`);
  assert.equal(header("etag"), `"${data.sha256}"`);
  assert.equal(header("accept-ranges"), "bytes");
  assert.equal(header("cache-control"), "private, no-store");
  assert.equal(header("referrer-policy"), "no-referrer");
  assert.equal(header("x-content-type-options"), "nosniff");
});

test("the API reference names the media type of every file, and the headers of a whole one and of a part", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);
  const { body: document } = await api.call("/api/v1/openapi.json");
  const documented = document["paths"]["/api/v1/downloads/{exportId}"].get.responses;

  for (const format of formats) {
    const { body } = await api.createExport(key, { job_id: jobId, format });
    for (const headers of [{}, { Range: "bytes=0-9" }]) {
      const response = await api.download(body["data"].download_url, { headers });
      await response.arrayBuffer();

      const { content, headers: named } = documented[response.status];
      const type = response.headers.get("content-type")?.split(";", 1)[0] ?? "";
      assert.ok(content[type], `${response.status} ${type}`);
      for (const name of ["ETag", "Accept-Ranges", "Content-Disposition", "Content-Range"]) {
        assert.equal(name in named, response.headers.has(name), `${response.status} ${name}`);
      }
    }
  }
});

test("HEAD answers as GET does, without the file", async (t) => {
  const api = await startExports(t);
  const { data } = await api.givenExport("json");

  const response = await api.download(data.download_url, { method: "HEAD" });

  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-length"), String(data.size_bytes));
  assert.equal(await response.text(), "");
});

test("who has the file already gets 304, and who wants another one 412", async (t) => {
  const api = await startExports(t);
  const { data } = await api.givenExport("json");
  const etag = `"${data.sha256}"`;
  const ask = async (headers: Record<string, string>, method = "GET") => {
    const response = await api.download(data.download_url, { method, headers });
    return { status: response.status, text: await response.text(), etag: response.headers.get("etag") };
  };

  for (const tag of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
    assert.deepEqual(await ask({ "If-None-Match": tag }), { status: 304, text: "", etag }, tag);
    assert.deepEqual(await ask({ "If-None-Match": tag, Range: "bytes=0-9" }), { status: 304, text: "", etag }, tag);
  }
  assert.equal((await ask({ "If-None-Match": etag }, "HEAD")).status, 304);
  assert.equal((await ask({ "If-None-Match": '"another"' })).status, 200);
  for (const tag of [etag, "*", `"another", ${etag}`]) assert.equal((await ask({ "If-Match": tag })).status, 200, tag);
  for (const tag of ['"another"', `W/${etag}`]) {
    const { status, text } = await ask({ "If-Match": tag, Range: "bytes=0-9" });
    assert.equal(status, 412, tag);
    assert.equal(JSON.parse(text).error.code, "precondition_failed");
  }
});

test("ranges: a part, an open end, a suffix, none behind the end, and the whole where the tag differs", async (t) => {
  const api = await startExports(t);
  const { data } = await api.givenExport("ndjson");
  const whole = Buffer.from(await (await api.download(data.download_url)).arrayBuffer());
  const size = whole.length;
  const get = async (headers: Record<string, string>) => {
    const response = await api.download(data.download_url, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, bytes, range: response.headers.get("content-range") };
  };

  const cases: [string, number, number][] = [
    ["bytes=0-0", 0, 0],
    ["bytes=10-99", 10, 99],
    [`bytes=${size - 5}-`, size - 5, size - 1],
    ["bytes=-7", size - 7, size - 1],
    [`bytes=-${size + 100}`, 0, size - 1],
    [`bytes=100-${size + 100}`, 100, size - 1],
  ];
  for (const [range, start, end] of cases) {
    const part = await get({ Range: range });
    assert.equal(part.status, 206, range);
    assert.equal(part.range, `bytes ${start}-${end}/${size}`);
    assert.ok(part.bytes.equals(whole.subarray(start, end + 1)), range);
  }
  for (const range of ["bytes=5-2", "bytes=-", "lines=1-2", "bytes=0-1,5-6", "bytes=a-b"]) {
    const answer = await get({ Range: range });
    assert.equal(answer.status, 200, range);
    assert.ok(answer.bytes.equals(whole), range);
  }
  for (const range of [`bytes=${size}-`, "bytes=-0"]) {
    const answer = await get({ Range: range });
    assert.equal(answer.status, 416, range);
    assert.equal(answer.range, `bytes */${size}`);
    assert.equal(JSON.parse(answer.bytes.toString()).error.code, "range_not_satisfiable");
  }
  assert.equal((await get({ Range: "bytes=10-", "If-Range": `"${data.sha256}"` })).status, 206);
  assert.equal((await get({ Range: "bytes=10-", "If-Range": '"another"' })).status, 200);
});

test("a link that was changed in any way is no link", async (t) => {
  const api = await startExports(t);
  const { data, key, jobId } = await api.givenExport();
  const other = (await api.createExport(key, { job_id: jobId, format: "csv" })).body["data"];
  const url = new URL(data.download_url);
  const changed = (name: string, value: string) => {
    const copy = new URL(url);
    copy.searchParams.set(name, value);
    return copy.href;
  };
  const sig = url.searchParams.get("sig") ?? "";

  const forged = [
    changed("expires", String(Number(url.searchParams.get("expires")) + 1)),
    changed("kid", "00000000"),
    changed("sig", (sig.startsWith("A") ? "B" : "A") + sig.slice(1)),
    data.download_url.replace(data.id, other.id),
    data.download_url.replace(data.id, newId("exp")),
  ];
  const malformed = [
    changed("sig", sig.slice(1)),
    changed("more", "1"),
    `${url.origin}${url.pathname}`,
    changed("expires", "never"),
  ];

  for (const link of forged) assert.equal((await api.download(link)).status, 404, link);
  for (const link of malformed) assert.equal((await api.download(link)).status, 400, link);
});

test("a link ends after 15 minutes; a download that began may resume for an hour", async (t) => {
  const api = await startExports(t);
  const { data, key } = await api.givenExport();
  const resume = { headers: { Range: "bytes=10-", "If-Range": `"${data.sha256}"` } };
  const code = async (init = {}) => {
    const response = await api.download(data.download_url, init);
    const text = await response.text();
    return response.status === 410 ? JSON.parse(text).error.code : response.status;
  };

  api.clock.advance(15 * minuteMs - 2_000);
  assert.equal(await code(), 200);
  api.clock.advance(2_000);
  assert.equal(await code(), "export_expired");
  assert.equal(await code({ headers: { Range: "bytes=10-" } }), "export_expired");
  assert.equal(await code({ headers: { Range: "bytes=0-", "If-Range": `"${data.sha256}"` } }), "export_expired");
  assert.equal(await code(resume), 206);
  api.clock.advance(60 * minuteMs);
  assert.equal(await code(resume), "export_expired");

  const fresh = (await api.readExport(key, data.id)).body["data"].download_url;
  assert.equal((await api.download(fresh)).status, 200);
});

test("after seven days the file is gone, and says so", async (t) => {
  const api = await startExports(t);
  const { data, key } = await api.givenExport();

  api.clock.advance(7 * 24 * 60 * minuteMs - 1_000);
  await api.runRetention();
  const last = (await api.readExport(key, data.id)).body["data"];
  assert.equal(last.status, "ready");
  assert.equal((await api.storedKeys()).length, 1);

  api.clock.advance(1_000);
  await api.runRetention();
  const gone = (await api.readExport(key, data.id)).body["data"];
  assert.equal(gone.status, "expired");
  assert.equal(gone.download_url, undefined);
  const response = await api.download(last.download_url);
  assert.equal(response.status, 410);
  assert.deepEqual(await api.storedKeys(), []);

  api.clock.advance(30 * 24 * 60 * minuteMs);
  await api.runRetention();
  assert.equal((await api.readExport(key, data.id)).status, 404);
});

test("a file that no export names is removed, a young one is left alone", async (t) => {
  const api = await startExports(t);
  const { data, key } = await api.givenExport();
  const [name = ""] = await api.storedKeys();
  await rename(filePath(api.files, name), filePath(api.files, `${name.slice(0, 36)}.99.csv`));

  await api.runRetention();
  assert.equal((await api.storedKeys()).length, 1);
  api.clock.advance(3 * 60 * minuteMs);
  await api.runRetention();

  assert.deepEqual(await api.storedKeys(), []);
  const { download_url: url } = (await api.readExport(key, data.id)).body["data"];
  for (const method of ["GET", "HEAD"]) {
    const response = await api.download(url, { method });
    assert.equal(response.status, 410, `and the export whose file is missing says so to ${method}`);
  }
});

test("files go also where unfinished uploads cannot be dropped", async (t) => {
  const api = await startExports(t);
  await api.givenExport();
  const dropUnfinished = () => Promise.reject(new StorageFailed(new Error("AccessDenied")));
  Object.assign(api.files, { storage: { ...api.files.storage, dropUnfinished } });
  api.clock.advance(8 * 24 * 60 * minuteMs);

  await assert.rejects(api.runRetention(), StorageFailed);

  assert.deepEqual(await api.storedKeys(), []);
});

function filePath({ workFolder }: FileStore, key: string): string {
  return join(workFolder, "..", "files", key);
}

test("a file on another machine, and a storage that is away, are told apart from a lost file", async (t) => {
  const api = await startExports(t);
  const { data } = await api.givenExport();
  const { storage } = api.files;

  Object.assign(api.files, { storage: { ...storage, name: "local:another" } });
  const elsewhere = await api.download(data.download_url);
  assert.equal(elsewhere.status, 503);
  assert.match(((await elsewhere.json()) as any).error.message, /another machine/);
  Object.assign(api.files, {
    storage: { ...storage, read: () => Promise.reject(new StorageFailed(new Error("away"))) },
  });
  const away = await api.download(data.download_url);
  assert.equal(away.status, 503);
  assert.equal(away.headers.get("retry-after"), "5");
});

test("no signature is ever logged", async (t) => {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  const api = await startExports(t, { log: { debug: write, info: write, warn: write, error: write } });
  const { data } = await api.givenExport();
  const sig = new URL(data.download_url).searchParams.get("sig") ?? "";

  await (await api.download(data.download_url)).text();
  await (await api.download(data.download_url, { headers: { Range: "bytes=999999999-" } })).text();
  await (await api.download(data.download_url.replace(data.id, newId("exp")))).text();
  await (await api.download(data.download_url, { method: "POST" })).text();

  assert.ok(lines.length > 4);
  assert.ok(sig.length === 43);
  assert.deepEqual(
    lines.filter((line) => line.includes(sig)),
    [],
  );
});
