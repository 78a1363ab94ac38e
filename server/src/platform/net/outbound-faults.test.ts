import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { createServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeCertificate, startHttp, startTcp } from "../../../test/local-servers.ts";
import { assertShort, longestTaskMs } from "../../../test/loop-watch.ts";
import { assertFails, openOutbound, until } from "../../../test/outbound.ts";

const usual = { deadlineMs: 5000, bytesMax: 10_000, protocols: ["http:", "https:"] as const };
const soon = { ...usual, deadlineMs: 150 };

test("every stage ends at the deadline", async (t) => {
  const silent = await startTcp(t, () => {});
  const drippingHeaders = await startTcp(t, (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "X-Drip: drop\r\n"));
  const drippingBody = await startTcp(t, (socket) =>
    drip(socket, "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", "x"),
  );
  const endlessRedirects = await startHttp(
    t,
    (_request, response) => void response.writeHead(302, { Location: "/" }).end(),
  );
  const outbound = openOutbound(t);
  const deaf = openOutbound(t, { lookup: () => new Promise(() => {}) });

  await assertFails(deaf.request({ ...soon, url: "http://never-answers.test/" }), "lookup_timed_out");
  await assertFails(outbound.request({ ...soon, url: `http://127.0.0.1:${silent.port}/` }), "timed_out");
  await assertFails(outbound.request({ ...soon, url: `https://127.0.0.1:${silent.port}/` }), "timed_out");
  await assertFails(outbound.request({ ...soon, url: `http://127.0.0.1:${drippingHeaders.port}/` }), "timed_out");
  await assertFails(outbound.request({ ...soon, url: `http://127.0.0.1:${drippingBody.port}/` }), "timed_out");
  await assertFails(
    outbound.request({ ...soon, url: `http://127.0.0.1:${endlessRedirects.port}/`, redirectsMax: 1_000_000 }),
    "timed_out",
  );
});

test("where the status says all, a body that does not come, breaks off or is no gzip takes nothing from it", async (t) => {
  const head = "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n";
  const dripping = await startTcp(t, (socket) => drip(socket, `${head}\r\n`, "x"));
  const breaking = await startTcp(t, (socket) => socket.once("data", () => socket.end(`${head}\r\nstart`)));
  const packed = await startTcp(t, (socket) =>
    socket.once("data", () => socket.end(`${head}Content-Encoding: gzip\r\n\r\nno`)),
  );
  const whole = await startHttp(t, (_request, response) => void response.end("whole"));
  const outbound = openOutbound(t);
  const ask = ({ port }: { port: number }, keepAlive: boolean) =>
    outbound.request({ ...usual, deadlineMs: 1_000, bodyMs: 1_100, keepAlive, url: `http://127.0.0.1:${port}/` });

  for (const keepAlive of [false, true]) {
    const dripped = await ask(dripping, keepAlive);
    assert.deepEqual([dripped.status, dripped.truncated], [200, true]);
    assert.match(String(dripped.body), /^x+$/);
    assert.deepEqual(await contentOf(ask(breaking, keepAlive)), [200, "start", true]);
    assert.deepEqual(await contentOf(ask(packed, keepAlive)), [200, "no", true]);
    assert.deepEqual(await contentOf(ask(whole, keepAlive)), [200, "whole", false]);
  }
});

async function contentOf(answer: Promise<{ status: number; body: Buffer; truncated: boolean }>) {
  const { status, body, truncated } = await answer;
  return [status, String(body), truncated];
}

test("endless informational answers and endless headers end the request, and its connection", async (t) => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n".repeat(500);
  const endlessHints = await startTcp(t, (socket) => pour(socket, "", hints));
  const endlessHeaders = await startTcp(t, (socket) =>
    pour(socket, "HTTP/1.1 200 OK\r\n", "X-More: more\r\n".repeat(500)),
  );
  const outbound = openOutbound(t);

  for (const { port, connections } of [endlessHints, endlessHeaders]) {
    for (const keepAlive of [false, true]) {
      await assertFails(outbound.request({ ...usual, keepAlive, url: `http://127.0.0.1:${port}/` }), "bad_response");
    }
    await until(() => connections.every((socket) => socket.destroyed));
  }
});

test("a body in a million small chunks holds up nobody, and one in thousands is read", async (t) => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const chunk = "1\r\nx\r\n";
  const many = await startTcp(t, (socket) => pour(socket, head, chunk.repeat(10_000)));
  const some = await startTcp(t, (socket) =>
    socket.once("data", () => socket.end(`${head}${chunk.repeat(16_000)}0\r\n\r\n`)),
  );
  const outbound = openOutbound(t);
  const ask = ({ port }: { port: number }) =>
    outbound.request({ ...usual, deadlineMs: 30_000, bytesMax: 1_000_000, url: `http://127.0.0.1:${port}/` });

  const longest = await longestTaskMs(() => assertFails(ask(many), "bad_response"));
  const { body, truncated } = await ask(some);

  assertShort(longest);
  assert.deepEqual([body.length, truncated], [16_000, false]);
});

test("a status line and a chunk's extension without end stop at the deadline", async (t) => {
  const starts = ["HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"];
  const outbound = openOutbound(t);

  for (const start of starts) {
    const { port, connections } = await startTcp(t, (socket) => pour(socket, start, "x".repeat(1_000)));
    await assertFails(outbound.request({ ...soon, url: `http://127.0.0.1:${port}/` }), "timed_out");
    await until(() => connections.every((socket) => socket.destroyed));
  }
});

test("a few informational answers before the real one do no harm", async (t) => {
  const hint = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
  const { port } = await startTcp(t, (socket) => {
    socket.once("data", () => socket.end(`${hint.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`));
  });

  const { status } = await openOutbound(t).request({ ...usual, url: `http://127.0.0.1:${port}/` });

  assert.equal(status, 204);
});

test("an answer behind a continuation that nobody asked for is not read", async (t) => {
  const { port } = await answering(t, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");

  await assertFails(openOutbound(t).request({ ...usual, url: `http://127.0.0.1:${port}/` }), "reset");
});

test("continuations without end stop", async (t) => {
  const continuations = "HTTP/1.1 100 Continue\r\n\r\n".repeat(500);
  const headers = "X-More: more\r\n".repeat(500);
  const outbound = openOutbound(t);

  for (const [start, more] of [
    ["", continuations],
    ["HTTP/1.1 100 Continue\r\n", headers],
  ] as const) {
    const { port, connections } = await startTcp(t, (socket) => pour(socket, start, more));
    await assert.rejects(outbound.request({ ...usual, url: `http://127.0.0.1:${port}/` }));
    await until(() => connections.every((socket) => socket.destroyed));
  }
});

test("a name without a dot and one of the local network are refused without a lookup, unless allowed", async (t) => {
  const asked: string[] = [];
  const outbound = openOutbound(t, {
    allow: [],
    lookup: async (name) => {
      asked.push(name);
      return ["8.8.8.8"];
    },
  });

  for (const name of ["localhost", "intranet", "printer.local", "a.localhost"]) {
    await assertFails(outbound.check(`http://${name}/`, { protocols: ["http:"] }), "not_public");
    await assertFails(outbound.request({ ...usual, url: `http://${name}/` }), "not_public");
  }
  assert.deepEqual(asked, []);
  await outbound.check("http://nominatim:8080/", { protocols: ["http:"], localNames: true });
  assert.deepEqual(asked, ["nominatim"]);
});

test("where something may be reached that is not public, a local name is judged by its addresses", async (t) => {
  const addresses: Record<string, string[]> = {
    receiver: ["10.20.0.7"],
    mixed: ["10.20.0.7", "10.30.0.7"],
    localhost: ["127.0.0.1"],
    "printer.local": ["192.168.0.9"],
  };
  const outbound = openOutbound(t, { allow: ["10.20.0.0/16:8443"], lookup: async (name) => addresses[name] ?? [] });
  const check = (name: string, port = 8443) => outbound.check(`https://${name}:${port}/`);

  await check("receiver");
  await assertFails(check("receiver", 443), "not_public");
  for (const name of ["mixed", "localhost", "printer.local"]) await assertFails(check(name), "not_public");
  await assertFails(check("nobody"), "name_not_found");
});

test("a request ends when its caller gives up or the module closes, and closes its connection", async (t) => {
  const silent = await startTcp(t, (socket) => socket.resume());
  const outbound = openOutbound(t);
  const url = `http://127.0.0.1:${silent.port}/`;
  const caller = new AbortController();

  const given = outbound.request({ ...usual, url, signal: caller.signal });
  const kept = outbound.request({ ...usual, url, keepAlive: true });
  const [givenEnds, keptEnds] = [assertFails(given, "aborted"), assertFails(kept, "aborted")];
  await until(() => silent.connections.length === 2);
  caller.abort();
  await givenEnds;
  await outbound.close();
  await keptEnds;

  await until(() => silent.connections.every((socket) => socket.readableEnded || socket.destroyed));
  await assertFails(outbound.request({ ...usual, url }), "aborted");
  await assertFails(openOutbound(t).request({ ...usual, url, signal: AbortSignal.abort() }), "aborted");
  assert.equal(silent.connections.length, 2);
});

test("a connection that is refused, cut, garbled or short is told apart", async (t) => {
  const closed = await startTcp(t, (socket) => socket.destroy());
  const reset = await startTcp(t, (socket) => void socket.once("data", () => socket.resetAndDestroy()));
  const garbled = await startTcp(t, (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
  const short = await answering(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
  const cutChunk = await answering(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nonly this");
  const twoLengths = await answering(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc");
  const longHeaders = await answering(t, `HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(70_000)}\r\n\r\n`);
  const brokenGzip = await answering(t, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nthis is not gzip");
  const outbound = openOutbound(t);
  const ask = ({ port }: { port: number }, protocol = "http") =>
    outbound.request({ ...usual, url: `${protocol}://127.0.0.1:${port}/` });

  await assertFails(ask({ port: 1 }), "connect_failed");
  await assertFails(ask(closed), "reset");
  await assertFails(ask(reset), "reset");
  await assertFails(ask(short), "reset");
  await assertFails(ask(cutChunk), "reset");
  for (const server of [garbled, twoLengths, longHeaders, brokenGzip]) await assertFails(ask(server), "bad_response");
  await assertFails(ask(garbled, "https"), "tls_failed");
});

test("a certificate that nobody vouches for is refused before a word of HTTP is said", async (t) => {
  const certificate = makeCertificate(t, "receiver.test");
  if (!certificate) return;
  const heard: string[] = [];
  const port = await startTls(t, certificate, (socket) =>
    socket.on("data", (chunk: Buffer) => heard.push(chunk.toString())),
  );
  const outbound = openOutbound(t, { lookup: async () => ["127.0.0.1"] });

  await assertFails(outbound.request({ ...usual, url: `https://receiver.test:${port}/` }), "tls_failed");
  await assertFails(outbound.request({ ...usual, url: `https://127.0.0.1:${port}/` }), "tls_failed");

  assert.deepEqual(heard, []);
});

test("an authority of NODE_EXTRA_CA_CERTS vouches for a name, which is told by SNI and Host, and for no other", async (t) => {
  const certificate = makeCertificate(t, "receiver.test");
  if (!certificate) return;
  const heard: string[] = [];
  const port = await startTls(t, certificate, (socket) => {
    heard.push(socket.servername);
    socket.once("data", (chunk: Buffer) => {
      heard.push(/^host: (.*)\r$/im.exec(chunk.toString())?.[1] ?? "");
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    });
  });
  const script = `
    import { createOutbound } from ${JSON.stringify(new URL("outbound.ts", import.meta.url).href)};
    const outbound = createOutbound({ allow: ["127.0.0.1/32"], lookup: async () => ["127.0.0.1"] });
    for (const name of ["receiver.test", "other.test"]) {
      const request = { url: "https://" + name + ":${port}/", deadlineMs: 5000, bytesMax: 100 };
      console.log(await outbound.request(request).then(({ status }) => status, ({ reason }) => reason));
    }`;

  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate.certFile },
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });

  assert.equal(stdout, "200\ntls_failed\n");
  assert.deepEqual(heard.slice(0, 2), ["receiver.test", `receiver.test:${port}`]);
});

/** Answers every request with the same bytes and closes. */
function answering(t: TestContext, bytes: string) {
  return startTcp(t, (socket) => void socket.once("data", () => socket.end(bytes)));
}

/** Says the opening, then a little more from time to time, for ever. */
function drip(socket: Socket, opening: string, drop: string): void {
  socket.write(opening);
  const timer = setInterval(() => socket.write(drop), 10);
  socket.once("close", () => clearInterval(timer));
}

async function startTls(
  t: TestContext,
  { certFile, keyFile }: { certFile: string; keyFile: string },
  talk: (socket: Socket & { servername: string }) => void,
): Promise<number> {
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (socket) => {
    socket.on("error", () => {});
    talk(socket as Socket & { servername: string });
  });
  const { port } = await startTcp(t, (socket) => server.emit("connection", socket));
  return port;
}

/** Writes a beginning and then the same again and again, as fast as it is taken. */
function pour(socket: Socket, beginning: string, again: string) {
  socket.write(beginning);
  const write = () => {
    while (!socket.destroyed && socket.write(again));
  };
  socket.on("drain", write).once("data", write);
}
