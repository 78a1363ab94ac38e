import assert from "node:assert/strict";
import { test } from "node:test";
import { sendRaw, startApi } from "../../test/harness.ts";
import { sendMcp } from "../../test/mcp.ts";

test("each of the four headers carries a key", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const ways = [
    { "API-KEY": key },
    { Authorization: `Bearer ${key}` },
    { "SVC-API-KEY": key },
    { "X-API-KEY": key },
    { "X-API-KEY": key, "API-KEY": key },
  ];

  for (const headers of ways) {
    const { status, text } = await sendMcp(api, undefined, "tools/list", {}, headers);
    assert.equal(status, 200, `${Object.keys(headers).join()}: ${text}`);
  }
});

test("no key, a wrong key and two different keys are refused before anything is read", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { text: other } = await api.givenKey();

  const none = await sendMcp(api, undefined, "tools/list");
  const wrong = await sendMcp(api, `${key}x`, "tools/list");
  const two = await sendMcp(api, key, "tools/list", {}, { "X-API-KEY": other });

  assert.equal(none.status, 401);
  assert.match(none.headers.get("www-authenticate") ?? "", /^Bearer/);
  assert.equal(wrong.body["error"].code, "unauthenticated");
  assert.equal(two.status, 400);
  assert.equal(two.body["error"].code, "conflicting_credentials");
});

// REST stays as narrow as its reference says.
test("the further headers carry no key over REST", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  const { status, body } = await api.call("/api/v1/scrapes", { headers: { "X-API-KEY": key } });

  assert.equal(status, 401);
  assert.match(body["error"].message, /header API-KEY, or as Authorization: Bearer/);
});

test("messages count against the key's rate, and a batch is refused whole", async (t) => {
  const api = await startApi(t, { rateLimitPerSecond: 1 });
  const { text: key } = await api.givenKey();
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };

  const batch = await api.call("/mcp", { key, json: [message, message] });
  await sendMcp(api, key, "tools/list");
  const limited = await sendMcp(api, key, "tools/list");

  assert.equal(batch.status, 400);
  assert.deepEqual(batch.body["error"].details, ["/: must be an object"]);
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("retry-after"), "1");
});

test("a name that a website could point at this machine is refused as Host and as Origin", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const answerTo = async (host: string, origin?: string) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const lines = [
      "POST /mcp HTTP/1.1",
      `Host: ${host}`,
      ...(origin === undefined ? [] : [`Origin: ${origin}`]),
      "Connection: close",
      `API-KEY: ${key}`,
      "Accept: application/json, text/event-stream",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return sendRaw(api.address, `${lines.join("\r\n")}\r\n\r\n${body}`);
  };
  const statusWith = async (host: string, origin?: string) => (await answerTo(host, origin)).status;

  assert.equal(await statusWith("localhost:8080"), 200);
  assert.equal(await statusWith("localhost:8080", "http://localhost:6274"), 200);
  assert.equal(await statusWith("192.168.1.5:8080", "http://192.168.1.5:8080"), 200);
  assert.equal(await statusWith("waypost:8080"), 200);
  assert.equal(await statusWith("u:p@evil"), 400);
  assert.equal(await statusWith("evil.example.com:8080"), 403);
  assert.equal(await statusWith("localhost:8080", "http://evil.example.com"), 403);
  assert.equal(await statusWith("evil.example.com", "http://evil.example.com"), 403);
  assert.equal(await statusWith("localhost:8080", "null"), 403);
  const { text } = await answerTo("search.example.com:8080");
  assert.match(text, /start the service with WAYPOST_PUBLIC_URL=https:\/\/search\.example\.com;/);
});

test("GET and DELETE are not served: there are no sessions and no streams without a message", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  for (const method of ["GET", "DELETE"]) {
    const { status, headers } = await api.call("/mcp", { method, key });
    assert.equal(status, 405, method);
    assert.equal(headers.get("allow"), "POST");
  }
});
