import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { startApi } from "../../test/harness.ts";
import { assertShort, longestTaskMs } from "../../test/loop-watch.ts";
import { openOutbound } from "../../test/outbound.ts";
import { aPlace } from "../../test/place.ts";
import { scriptedSource } from "../../test/scripted-source.ts";
import { createEnrichment, createPageReader } from "../domains/enrichment/index.ts";
import { systemClock } from "../platform/clock.ts";

const unhurried = { timeout: 120_000 };

test("hostile websites do not hold up other requests, nor the honest ones beside them", unhurried, async (t) => {
  const longPath = `/${"a".repeat(2000)}`;
  const honest = { "/robots.txt": "User-agent: *\nDisallow: /private", "/": "<p>info@sonne.ch</p>" };
  const hostile = [
    { "/robots.txt": `User-agent: *\n${`Disallow: /*${"a".repeat(200)}*b\n`.repeat(2300)}`, "*": "" },
    { "*": `<base href="/${"x".repeat(900_000)}">${"<a href=y>".repeat(5000)}` },
    { "*": `${"<i>".repeat(2000)}${"</b>".repeat(245_000)}` },
    { "*": `<script type="application/ld+json">${"[".repeat(999_000)}` },
    { "*": "a@b.ch ".repeat(140_000) },
    { "*": "(at)".repeat(250_000) },
  ];
  const ports = await openWebsites(t, [honest, ...hostile]);
  const websites = [0, 1].flatMap((round) =>
    ports.map((port, index) => `http://127.0.0.1:${port}${index === 1 ? longPath : "/"}?${round}`),
  );
  const { source } = scriptedSource(async () => ({
    listings: websites.map((website) => aPlace({ website })),
    verdict: "ok",
  }));
  const reader = createPageReader();
  t.after(() => reader.close());
  const limits = { pageMs: 60_000, totalMs: 60_000, parseMs: 10_000 };
  const enrichment = createEnrichment({ outbound: openOutbound(t), reader, clock: systemClock, limits });
  const api = await startApi(t, { source, enrichment });
  const { text: key } = await api.givenKey({ environment: "live" });
  await api.searchAs(key, { q: "warm" });

  let found: { place: { enrichmentState: string; emails: string[] } }[] = [];
  const longest = await longestTaskMs(async () => {
    const { body } = await api.searchAs(key, { q: "coffee", extra: true });
    found = body["data"].businesses;
  });

  assert.equal(found.length, websites.length);
  for (const index of [0, ports.length])
    assert.deepEqual(found[index]?.place.emails, ["info@sonne.ch"], JSON.stringify(found[index]));
  assertShort(longest);
});

test("a page that keeps its thread busy is left at its deadline, and the thread with it", unhurried, async (t) => {
  const busy = { "*": `${"<i>".repeat(500)}${"</b>".repeat(240_000)}` };
  const [port = 0, honestPort = 0] = await openWebsites(t, [busy, { "/": "<p>info@sonne.ch</p>" }]);
  const reader = createPageReader();
  t.after(() => reader.close());
  const outbound = openOutbound(t);
  const patient = { pageMs: 60_000, totalMs: 60_000, parseMs: 60_000 };
  const visit = (website: string, parseMs: number) =>
    createEnrichment({ outbound, reader, clock: systemClock, limits: { ...patient, parseMs } }).enrich(
      website,
      new AbortController().signal,
    );

  const visits = [1, 2, 3].map((round) => visit(`http://127.0.0.1:${port}/?${round}`, 1));

  for (const { state } of await Promise.all(visits)) assert.equal(state, "timed_out");
  const { state, contacts } = await visit(`http://127.0.0.1:${honestPort}/`, 60_000);
  assert.deepEqual([state, contacts.map(({ value }) => value)], ["done", ["info@sonne.ch"]]);
});

test("readers that never read share one file, hold nobody up, and are closed", unhurried, async (t) => {
  const api = await startApi(t, { settings: { stalledReaderSeconds: 1, unreadMegabytesMax: 10_000 } });
  const path = "/docs/js/scalar.js";
  const { text: file, headers } = await api.call(path);
  const residentBytes = process.memoryUsage.rss();
  const readers: Socket[] = [];
  t.after(() => readers.forEach((reader) => reader.destroy()));

  const longest = await longestTaskMs(async () => {
    // In small groups: the callers' work is the same thread's, and what a busy machine keeps waiting comes in one turn.
    for (let group = 0; group < 100; group += 1) {
      const opened = Array.from({ length: 2 }, () => openDeafReader(api.address, path));
      readers.push(...opened);
      await Promise.all(opened.map((reader) => once(reader, "connect")));
      await api.call("/healthz");
    }
  });
  const grownBytes = process.memoryUsage.rss() - residentBytes;

  assertShort(longest);
  assert.equal(headers.get("content-encoding"), "gzip");
  assert.ok(file.length > 4_000_000 && grownBytes < 200_000_000, `${grownBytes} bytes`);
  await untilMetric(api, /connections_closed_total\{reason="stalled_reader"\} 200\b/);
});

test("readers that are slow together hold no more memory than they may, and one that reads gets all", async (t) => {
  const path = "/docs/js/scalar.js";
  const api = await startApi(t, { settings: { stalledReaderSeconds: 600, unreadMegabytesMax: 1 } });
  const readers = Array.from({ length: 20 }, () => openDeafReader(api.address, path));
  t.after(() => readers.forEach((reader) => reader.destroy()));

  await untilMetric(api, /connections_closed_total\{reason="unread_answers"\} [1-9]/);

  const { status, text } = await api.call(path);
  assert.deepEqual([status, text.length > 4_000_000], [200, true]);
});

test("a slow reader that takes some of its answer again and again gets all", unhurried, async (t) => {
  const path = "/docs/js/scalar.js";
  const api = await startApi(t, { settings: { stalledReaderSeconds: 1 } });
  const { text: file } = await api.call(path);
  const slow = openDeafReader(api.address, path, 2);
  t.after(() => slow.destroy());

  const bytes = await readAtPace(slow, { stepBytes: 64_000, bytesMax: 2 * file.length });

  assert.ok(bytes >= 2 * file.length, `${bytes} bytes`);
});

test("headers that do not arrive within fifteen seconds end their connection soon after", unhurried, async (t) => {
  const api = await startApi(t);
  const { hostname, port } = new URL(api.address);
  const began = performance.now();
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  t.after(() => socket.destroy());
  socket.resume().write("GET /healthz HTTP/1.1\r\nHost: ");

  await once(socket, "close");

  assert.ok(performance.now() - began < 25_000);
});

test("the document, the metrics and a body of thousands of items hold nobody up", unhurried, async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "live" });
  const types = Array.from({ length: 5_700 }, (_, index) => ({ a: index }));
  const json = { url: "https://receiver.example/", event_types: types };
  const paths = ["/api/v1/openapi.json", "/metrics"];

  for (const path of paths) await api.call(path); // compiles what the second time runs
  assertShort(await longestTaskMs(() => Promise.all(paths.map((path) => api.call(path)))));
  for (let round = 0; round < 10; round += 1)
    assertShort(await longestTaskMs(() => Promise.all(paths.map((path) => headOf(api.address, path, 20)))));

  assert.equal((await api.call("/api/v1/webhook-endpoints", { key, json })).status, 400);
  assertShort(await longestTaskMs(() => api.call("/api/v1/webhook-endpoints", { key, json })));

  const first = await api.call("/api/v1/openapi.json");
  const etag = first.headers.get("etag") ?? "";
  const plain = await api.call("/api/v1/openapi.json", { headers: { "Accept-Encoding": "identity" } });
  assert.notEqual(plain.headers.get("etag"), etag, "a strong tag stands for the very bytes");
  const again = await api.call("/api/v1/openapi.json", { headers: { "If-None-Match": etag } });
  assert.deepEqual([again.status, again.text, first.headers.get("content-encoding")], [304, "", "gzip"]);
});

test("one address may hold so many connections, and a trusted proxy more", unhurried, async (t) => {
  const settings = { connectionsMax: 40, connectionsPerAddressMax: 10 };
  const direct = await startApi(t, { settings });
  const proxied = await startApi(t, { settings, trustedProxies: ["127.0.0.1"] });
  const open: Socket[] = [];
  t.after(() => open.forEach((socket) => socket.destroy()));

  async function answeredOf(address: string, count: number): Promise<number> {
    const sockets = Array.from({ length: count }, () => openDeafReader(address, "/healthz"));
    open.push(...sockets);
    const outcomes = sockets.map(async (socket) => {
      const closed = once(socket, "close").then(() => 0);
      socket.resume();
      return Promise.race([once(socket, "data").then(() => 1), closed]).catch(() => 0);
    });
    return (await Promise.all(outcomes)).reduce((sum, one) => sum + one, 0);
  }

  assert.equal(await answeredOf(direct.address, 15), 10);
  assert.equal(await answeredOf(proxied.address, 20), 20);
  for (const socket of open) socket.destroy();
  await untilMetric(direct, /connections_closed_total\{reason="address"\} \d/);
});

test("connections that send nothing take no seat from others, and known ones keep theirs", unhurried, async (t) => {
  const api = await startApi(t, { settings: { connectionsMax: 20 } });
  const { text: key } = await api.givenKey();
  const { hostname, port } = new URL(api.address);
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const open = () => {
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    sockets.push(socket);
    return socket;
  };
  const statusOn = async (socket: Socket) => {
    const ended = once(socket, "close").then(() => ["closed"]);
    socket.write(`GET /api/v1/scrapes HTTP/1.1\r\nHost: ${hostname}\r\nAPI-KEY: ${key}\r\n\r\n`);
    const [chunk] = await Promise.race([once(socket, "data"), ended]);
    return String(chunk).slice(0, 12);
  };
  const regular = open();
  assert.equal(await statusOn(regular), "HTTP/1.1 200");

  for (let count = 0; count < 60; count += 1) await once(open(), "connect");

  assert.equal(await statusOn(open()), "HTTP/1.1 200");
  assert.equal(await statusOn(regular), "HTTP/1.1 200");
  await untilMetric(api, /connections_closed_total\{reason="gave_way"\} \d/);
});

test("a connection ends with its hundredth answer, however many requests were sent ahead", unhurried, async (t) => {
  const api = await startApi(t);

  const answers = await answersTo(api.address, Buffer.from("GET /healthz HTTP/1.1\r\nHost:\r\n\r\n".repeat(150)));

  assert.equal(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 100);
  assert.equal(answers.match(/HTTP\/1\.1 /g)?.length, 100);
  assert.equal(answers.match(/connection: close\r\n/gi)?.length, 1);
  await untilMetric(api, /^waypost_http_connections_closed_total\{.*pipelining.*\} 1$/m);
});

test("thousands of requests sent ahead on one connection do not hold up others", unhurried, async (t) => {
  const api = await startApi(t);
  const requests = Buffer.from("GET /healthz HTTP/1.1\r\nHost:\r\n\r\n".repeat(20_000));
  await answersTo(api.address, requests); // compiles what the second time runs

  const longest = await longestTaskMs(() => answersTo(api.address, requests));

  assertShort(longest);
  await untilMetric(api, /^waypost_http_connections_closed_total\{.*pipelining.*\} 2$/m);
});

test(
  "bodies of hundreds of thousands of chunks are answered and end, whichever route they go to",
  unhurried,
  async (t) => {
    const api = await startApi(t);
    const { text: key } = await api.givenKey({ environment: "live" });
    const chunks = `${"1\r\n1\r\n".repeat(400_000)}0\r\n\r\n`;
    const head = (route: string, connection = "close") =>
      [
        `${route} HTTP/1.1\r\nHost:\r\nAPI-KEY: ${key}`,
        "Content-Type: application/json\r\nTransfer-Encoding: chunked",
        `Connection: ${connection}\r\n\r\n`,
      ].join("\r\n");
    const ahead = "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n".repeat(32);
    const half = `${"1\r\n1\r\n".repeat(5_400)}0\r\n\r\n`;
    const routes = ["POST /api/v1/search", "POST /api/v1/collections", "GET /healthz", "POST /nothing", "POST /mcp"];
    const floods = routes.map((route) => [route, Buffer.from(head(route) + chunks)] as const);
    floods.push(["sent ahead", Buffer.from(ahead + head("POST /api/v1/search") + chunks)]);
    const many = `${head("POST /nothing", "keep-alive")}${half}`.repeat(30);
    floods.push(["in many requests", Buffer.from(many + head("POST /nothing") + half)]);

    for (const [name, flood] of floods) {
      assert.match(await answersTo(api.address, flood), /^HTTP\/1\.1 (200|4\d\d) /, name);
    }
  },
);

test("bodies of one byte per chunk are read like any other, one after the other on one connection", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "test" });
  const body = `${" ".repeat(30_000)}{"q":"coffee"}`;
  const chunks = body.replaceAll(/./g, (byte) => `1\r\n${byte}\r\n`);
  const headers = `Host:\r\nAPI-KEY: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`;
  const request = (connection: string) =>
    `POST /api/v1/search HTTP/1.1\r\n${headers}\r\nConnection: ${connection}\r\n\r\n${chunks}0\r\n\r\n`;

  const answers = await answersTo(api.address, Buffer.from(request("keep-alive") + request("close")));

  assert.equal(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  assert.equal(answers.match(/"params":\{"q":"coffee"/g)?.length, 2);
});

test("1 MiB of JSON that takes long to parse is refused before it is parsed", unhurried, async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "live" });
  const bodies = [
    "[".repeat(500_000) + "]".repeat(500_000),
    `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
    `[${Array.from({ length: 80_000 }, (_, index) => `{"${index}":1}`).join(",")}]`,
    `{${'"q":1,'.repeat(21)}"a":${"[".repeat(490_000)}${"]".repeat(490_000)}}`,
  ];
  const headers = { "Content-Type": "application/json", "Idempotency-Key": "a-key-of-this-test-1" };
  const send = (body: string) => api.call("/api/v1/collections", { method: "POST", key, headers, body });

  for (const body of bodies) {
    let status = 0;
    const longest = await longestTaskMs(async () => ({ status } = await send(body)));

    assert.equal(status, 400);
    assertShort(longest);
  }
});

test("a message of 1 MiB that is nothing but names or items holds nobody up", unhurried, async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const names = Object.fromEntries(Array.from({ length: 16_000 }, (_, index) => [`k${index}`, index]));
  const items = Array.from({ length: 99_000 }, () => "abcde");
  const version = { protocolVersion: "2025-11-25", clientInfo: { name: "test", version: "1" } };
  const messages = [
    { method: "tools/call", params: { name: "search_businesses", arguments: { q: "coffee", fields: items } } },
    { method: "initialize", params: { ...version, capabilities: { experimental: names } } },
    { method: "ping", params: { _meta: names } },
  ];
  const headers = { Accept: "application/json, text/event-stream" };
  const send = (message: object) => api.call("/mcp", { key, headers, json: { jsonrpc: "2.0", id: 1, ...message } });
  await send({ method: "ping" });

  for (const message of messages) {
    let text = "";
    const longest = await longestTaskMs(async () => ({ text } = await send(message)));

    assert.match(text, /must have at most|more than 1000 names/);
    assertShort(longest);
  }
});

type Api = Awaited<ReturnType<typeof startApi>>;

async function untilMetric(api: Api, pattern: RegExp): Promise<void> {
  const endsAt = performance.now() + 60_000;
  for (;;) {
    assert.ok(performance.now() < endsAt, `${pattern} does not come`);
    const { text } = await api.call("/metrics").catch(() => ({ text: "" }));
    if (pattern.test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sends the bytes on one connection; resolves to what had come when the server closed it. */
async function answersTo(address: string, requests: Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  let answers = "";
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  socket.on("data", (chunk) => (answers += String(chunk)));
  socket.write(requests);
  await new Promise((closed) => socket.once("close", closed)); // a reset is an end too
  return answers;
}

/** Asks for a path several times on one connection, and does not read what comes. */
function openDeafReader(address: string, path: string, times = 4): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(times));
  return socket;
}

/** Reads so many bytes fifty times a second, until the connection is closed or all has come; resolves to how many came. */
async function readAtPace(socket: Socket, { stepBytes, bytesMax }: { stepBytes: number; bytesMax: number }) {
  let bytes = 0;
  socket.on("readable", () => undefined); // lets nothing flow by itself
  const closed = once(socket, "close").then(() => true);
  for (;;) {
    for (let left = stepBytes; left > 0;) {
      const chunk: Buffer | null = socket.read(Math.min(left, socket.readableLength)) as Buffer | null;
      if (!chunk) break;
      left -= chunk.length;
      bytes += chunk.length;
    }
    const paused = new Promise<boolean>((resolve) => setTimeout(resolve, 20, false));
    if (bytes >= bytesMax || (await Promise.race([closed, paused]))) return bytes;
  }
}

/** Asks for a path on connections of their own, and reads the first bytes. */
async function headOf(address: string, path: string, count: number): Promise<void> {
  const sockets = Array.from({ length: count }, () => openDeafReader(address, path));
  await Promise.all(
    sockets.map(async (socket) => {
      socket.resume();
      await once(socket, "data");
      socket.destroy();
    }),
  );
}

/** Websites in a thread of their own; resolves to their ports. */
async function openWebsites(t: TestContext, websites: readonly Record<string, string>[]): Promise<number[]> {
  const thread = new Worker(new URL("../../test/websites-thread.ts", import.meta.url), { workerData: websites });
  t.after(() => thread.terminate());
  const [ports] = (await once(thread, "message")) as [number[]];
  return ports;
}
