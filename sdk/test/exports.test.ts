import assert from "node:assert/strict";
import { test } from "node:test";
import type { Waypost } from "@waypost/sdk";
import { apiKey, setUp } from "./scripted-client.ts";
import { type Answer, answer, disconnect, refuse, startScripted } from "./scripted-server.ts";

const exportId = "exp_1";

test("a file is downloaded by its link, without the key", async (t) => {
  const content = Buffer.from("name\r\nAdler\r\n");
  const files = await startScripted(t, (response) =>
    response
      .writeHead(200, { "Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="businesses.csv"' })
      .end(content),
  );
  const made = { id: exportId, status: "ready", format: "csv", sha256: "ab", size_bytes: 13 };
  const { waypost, seen } = await setUp(t, {}, answer({ ...made, download_url: `${files.baseUrl}/file?signature=1` }));

  const file = await waypost.exports.download(exportId);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.content) pieces.push(piece);

  assert.deepEqual(Buffer.concat(pieces), content);
  const { name, mediaType, sizeBytes, sha256 } = file;
  assert.deepEqual([name, mediaType, sizeBytes, sha256], ["businesses.csv", "text/csv", 13, "ab"]);
  assert.equal(seen[0]?.headers.authorization, `Bearer ${apiKey}`);
  assert.equal(files.seen[0]?.headers.authorization, undefined);
});

test("an export is waited for until it is ready; one that is not cannot be downloaded", async (t) => {
  const status = (each: string) => answer({ id: exportId, status: each, format: "csv" });
  const { waypost } = await setUp(t, {}, status("queued"), status("running"), status("ready"));
  const running = await setUp(t, {}, status("running"));
  const expired = await setUp(t, {}, status("expired"));

  assert.equal((await waypost.exports.wait(exportId)).status, "ready");
  await assert.rejects(running.waypost.exports.download(exportId), { code: "state_conflict" });
  await assert.rejects(expired.waypost.exports.download(exportId), { code: "export_expired" });
});

test("a download that breaks off or stands still fails, and is never taken for whole", async (t) => {
  const broken = await startScripted(t, (response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("half");
    setImmediate(() => response.destroy());
  });
  const silent = await startScripted(t, () => undefined);
  for (const [link, code] of [
    [broken.baseUrl, "connection_failed"],
    [silent.baseUrl, "request_timed_out"],
  ] as const) {
    const { waypost } = await setUp(
      t,
      {},
      answer({ id: exportId, status: "ready", format: "csv", download_url: link }),
    );
    const reading = async () => {
      const { content } = await waypost.exports.download(exportId, { timeoutMs: 500 });
      for await (const _ of content);
    };
    await assert.rejects(reading(), { code });
  }
});

test("a link is tried again when the service says so, or when the connection breaks before the file begins", async (t) => {
  const files = await startScripted(
    t,
    refuse(503, "temporarily_unavailable", true, { "Retry-After": "2" }),
    disconnect,
    (response) => response.writeHead(200).end("whole"),
  );
  const gone = await startScripted(t, refuse(410, "export_expired", false));
  const { waypost, pauses } = await setUp(t, {}, ready(files.baseUrl));
  const late = await setUp(t, {}, ready(gone.baseUrl));

  assert.equal(await contentOf(waypost), "whole");
  assert.equal(files.seen.length, 3);
  assert.ok(pauses[0] !== undefined && pauses[0] >= 2_000 && pauses[0] <= 2_250, `${pauses[0]}`);
  await assert.rejects(late.waypost.exports.download(exportId), { code: "export_expired" });
  assert.equal(gone.seen.length, 1);
});

test("aborting ends a download, also where the body does not hear of its signal", { timeout: 10_000 }, async (t) => {
  const link = "http://127.0.0.1/file";
  const body = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("abc")) });
  const fetch: typeof globalThis.fetch = (input, init) =>
    input === link ? Promise.resolve(new Response(body())) : globalThis.fetch(input, init);
  const { waypost } = await setUp(t, { fetch }, ready(link));
  const controller = new AbortController();
  const { content } = await waypost.exports.download(exportId, { signal: controller.signal });

  const reading = async () => {
    for await (const _ of content) controller.abort(new Error("enough"));
  };

  await assert.rejects(reading(), { message: "enough" });
});

const etag = '"ab"';
/** Says how long the whole is, sends a part of it and breaks off. */
const breakAfter =
  (part: string, headers: Record<string, string> = { ETag: etag }): Answer =>
  (response) => {
    response.writeHead(200, { "Content-Length": "100", ...headers }).write(part);
    setImmediate(() => response.destroy());
  };

test("a download that breaks off goes on where it broke, and takes nothing but the rest of the same file", async (t) => {
  const rest = (from: number, part: string, isWhole: boolean): Answer => {
    const headers = { ETag: etag, "Content-Range": `bytes ${from}-9/10`, "Content-Length": String(10 - from) };
    return (response) => {
      response.writeHead(206, headers);
      response.write(part);
      setImmediate(() => (isWhole ? response.end() : response.destroy()));
    };
  };
  const files = await startScripted(t, breakAfter("abc"), disconnect, rest(3, "defg", false), rest(7, "hij", true));
  const { waypost, seen } = await setUp(t, {}, ready(files.baseUrl));

  assert.equal(await contentOf(waypost), "abcdefghij");
  assert.deepEqual(
    files.seen.map(({ headers }) => [headers.range, headers["if-range"]]),
    [
      [undefined, undefined],
      ["bytes=3-", etag],
      ["bytes=3-", etag],
      ["bytes=7-", etag],
    ],
  );
  assert.equal(seen.length, 3, "a fresh link for each connection that is opened again");
});

test("a download is not put together from what does not belong together", async (t) => {
  const cases: [string, readonly Answer[], string, number][] = [
    [
      "another file by now",
      [breakAfter("abc"), (response) => response.writeHead(200).end("new")],
      "connection_failed",
      2,
    ],
    ["another part", [breakAfter("abc"), part("bytes 0-9/10")], "connection_failed", 2],
    ["a file without a name of its bytes", [breakAfter("abc", {}), part("bytes 3-9/10")], "connection_failed", 1],
    ["a file that is gone", [breakAfter("abc"), refuse(410, "export_expired", false)], "export_expired", 2],
    ["nothing but breaks", [breakAfter("abc"), disconnect], "connection_failed", 5],
  ];
  for (const [name, script, code, calls] of cases) {
    const files = await startScripted(t, ...script);
    const { waypost } = await setUp(t, {}, ready(files.baseUrl));

    await assert.rejects(contentOf(waypost), { code }, name);
    assert.equal(files.seen.length, calls, name);
  }
  const files = await startScripted(t, breakAfter("abc"), part("bytes 3-9/10"));
  const once = await setUp(t, { maxRetries: 0 }, ready(files.baseUrl));
  await assert.rejects(contentOf(once.waypost), { code: "connection_failed" });
  assert.equal(files.seen.length, 1);
});

const part =
  (range: string): Answer =>
  (response) =>
    response.writeHead(206, { "Content-Range": range }).end("defghij");

const ready = (link: string) => answer({ id: exportId, status: "ready", format: "csv", download_url: link });

async function contentOf({ exports }: Waypost): Promise<string> {
  const { content } = await exports.download(exportId);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
