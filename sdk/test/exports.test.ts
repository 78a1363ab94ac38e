import assert from "node:assert/strict";
import { test } from "node:test";
import { apiKey, setUp } from "./scripted-client.ts";
import { answer, disconnect, refuse, startScripted } from "./scripted-server.ts";

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
  const ready = (link: string) => answer({ id: exportId, status: "ready", format: "csv", download_url: link });
  const { waypost, pauses } = await setUp(t, {}, ready(files.baseUrl));
  const late = await setUp(t, {}, ready(gone.baseUrl));

  const { content } = await waypost.exports.download(exportId);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);

  assert.equal(Buffer.concat(pieces).toString(), "whole");
  assert.equal(files.seen.length, 3);
  assert.ok(pauses[0] !== undefined && pauses[0] >= 2_000 && pauses[0] <= 2_250, `${pauses[0]}`);
  await assert.rejects(late.waypost.exports.download(exportId), { code: "export_expired" });
  assert.equal(gone.seen.length, 1);
});
