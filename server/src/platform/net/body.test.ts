import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { startHttp } from "../../../test/local-servers.ts";
import { createOutbound } from "./outbound.ts";

const text = "The quick brown fox jumps over the lazy dog. ".repeat(40);

test("a body as long as the limit is whole, and one byte more is cut off", async (t) => {
  const ask = await serve(t, Buffer.alloc(5000, "x"));

  assert.deepEqual(await ask(5000), { length: 5000, truncated: false });
  assert.deepEqual(await ask(4999), { length: 4999, truncated: true });
  assert.deepEqual(await ask(0), { length: 0, truncated: true });
});

test("the same limit holds for what unfolds", async (t) => {
  const encodings = { gzip: gzipSync(text), "X-GZIP": gzipSync(text), br: brotliCompressSync(text) };
  for (const [encoding, bytes] of Object.entries(encodings)) {
    const ask = await serve(t, bytes, encoding);

    assert.deepEqual(await ask(text.length), { length: text.length, truncated: false }, encoding);
    assert.deepEqual(await ask(text.length - 1), { length: text.length - 1, truncated: true }, encoding);
  }
});

test("deflate is read with its header and without", async (t) => {
  for (const bytes of [deflateSync(text), deflateRawSync(text)]) {
    const ask = await serve(t, bytes, "deflate");

    assert.deepEqual(await ask(100_000), { length: text.length, truncated: false });
  }
});

test("a compressed body is whole however long it is as it arrives and as it unfolds", async (t) => {
  const noise = Buffer.from(randomBytes(300_000).toString("hex"));
  const long = Buffer.alloc(3_000_000, text);
  for (const unpacked of [noise, long]) {
    const ask = await serve(t, gzipSync(unpacked), "gzip");

    assert.deepEqual(await ask(unpacked.length), { length: unpacked.length, truncated: false });
    assert.deepEqual(await ask(unpacked.length - 1), { length: unpacked.length - 1, truncated: true });
  }
});

test("a compressed body that is broken is a bad response", async (t) => {
  const ask = await serve(t, Buffer.from("no gzip at all, and long enough"), "gzip");

  await assert.rejects(ask(1000), { reason: "bad_response" });
});

test("a compressed body is cut as it arrives too, and gives what it has by then", async (t) => {
  const noise = Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * index * 7919) % 251));
  const compressed = gzipSync(noise, { level: 0 });
  const ask = await serve(t, compressed, "gzip");

  const { length, truncated } = await ask(30_000);

  assert.ok(truncated);
  assert.ok(length > 20_000 && length <= 30_000);
});

test("a few kilobytes that stand for very many are not unfolded past the limit", async (t) => {
  const bombs = {
    gzip: gzipSync(Buffer.alloc(64 * 1024 * 1024)),
    br: brotliCompressSync(Buffer.alloc(64 * 1024 * 1024)),
  };
  for (const [encoding, bomb] of Object.entries(bombs)) {
    assert.ok(bomb.length < 100_000);
    const ask = await serve(t, bomb, encoding);

    assert.deepEqual(await ask(100_000), { length: 100_000, truncated: true }, encoding);
  }
});

test("an endless body is cut at the limit", async (t) => {
  const chunk = Buffer.alloc(1000, "x");
  const { port } = await startHttp(t, (_request, response) => {
    const more = () => void (response.write(chunk) ? setImmediate(more) : response.once("drain", more));
    more();
    response.on("close", () => response.removeAllListeners("drain"));
  });

  assert.deepEqual(await openAsk(t, port)(25_500), { length: 25_500, truncated: true });
});

test("an encoding that was not asked for, and an empty body that claims one, are left as they are", async (t) => {
  const zstandard = await serve(t, Buffer.from("zzzz"), "zstd");
  const twice = await serve(t, gzipSync(gzipSync(text)), "gzip, gzip");
  const empty = await serve(t, Buffer.alloc(0), "gzip");

  assert.deepEqual(await zstandard(100), { length: 4, truncated: false });
  assert.equal((await twice(10_000)).length, gzipSync(gzipSync(text)).length);
  assert.deepEqual(await empty(100), { length: 0, truncated: false });
});

async function serve(t: TestContext, bytes: Buffer, encoding?: string) {
  const { port } = await startHttp(t, (_request, response) => {
    response.writeHead(200, encoding === undefined ? {} : { "Content-Encoding": encoding }).end(bytes);
  });
  return openAsk(t, port);
}

function openAsk(t: TestContext, port: number) {
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  t.after(() => outbound.close());
  return async (bytesMax: number) => {
    const url = `http://127.0.0.1:${port}/`;
    const { body, truncated } = await outbound.request({ url, bytesMax, deadlineMs: 10_000, protocols: ["http:"] });
    return { length: body.length, truncated };
  };
}
