import assert from "node:assert/strict";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { test } from "node:test";
import { type Answered, rawSearch, sendRaw, startApi } from "../../test/harness.ts";
import { startTcp } from "../../test/local-servers.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ErrorEnvelope } from "../platform/http/error-body.ts";
import { newId } from "../platform/ids.ts";
import { handleClientError } from "./errors.ts";

const validateError = new Ajv2020({ strict: false }).compile(ErrorEnvelope);
const path = "/api/v1/search";
const jsonType = { "Content-Type": "application/json" };

function assertError({ status, body, headers }: Answered, expectedStatus: number, code: string) {
  assert.equal(status, expectedStatus, JSON.stringify(body));
  assert.ok(validateError(body), JSON.stringify(body));
  assert.equal(body["error"].code, code);
  assert.equal(headers.get("x-request-id"), body["request_id"]);
}

test("a body that is not a JSON object in UTF-8 is refused", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const bodies: (string | Uint8Array)[] = [
    "",
    "{",
    "{'q':1}",
    "q=coffee",
    '{"q":"coffee"}x',
    "\u0000",
    Buffer.from([0x7b, 0xff, 0x7d]),
    '"coffee"',
    "[]",
  ];

  for (const body of bodies) {
    assertError(await api.call(path, { key, body, headers: jsonType, method: "POST" }), 400, "invalid_request");
  }
  const twice = await api.call(path, { key, body: '{"q":"coffee","q":"tea"}', headers: jsonType });
  assert.deepEqual(twice.body["error"].details, ["/q: is given more than once"]);
});

test("no body at all is refused", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  const answer = await api.call(path, { key, method: "POST" });

  assertError(answer, 400, "invalid_request");
});

test("a body may have 64 KiB and not a byte more", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const bodyOf = (bytes: number) => `{"q":"coffee"}${" ".repeat(bytes - 14)}`;

  assert.equal((await api.call(path, { key, body: bodyOf(65_536), headers: jsonType })).status, 200);
  assertError(await api.call(path, { key, body: bodyOf(65_537), headers: jsonType }), 413, "payload_too_large");
  assertError(await api.call(path, { key, body: bodyOf(66_560), headers: jsonType }), 413, "payload_too_large");
});

test("a body that is too large for its route is refused with the limit of that route", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const body = " ".repeat(1_048_577);

  const answer = await api.call("/api/v1/collections", { method: "POST", key, body, headers: jsonType });

  assertError(answer, 413, "payload_too_large");
  assert.match(answer.text, /larger than 1048576 bytes/);
});

test("a chunked body is held to the same size", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAPI-KEY: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

  const { status, text } = await sendRaw(
    api.address,
    `${head}${`8000\r\n${" ".repeat(0x8000)}\r\n`.repeat(3)}0\r\n\r\n`,
  );

  assert.equal(status, 413);
  assert.match(text, /payload_too_large/);
});

test("another media type is refused, also when it is JSON inside", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const body = '{"q":"coffee"}';

  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "multipart/form-data; boundary=x",
    "nonsense",
  ]) {
    assertError(await api.call(path, { key, body, headers: { "Content-Type": type } }), 415, "unsupported_media_type");
  }
  assertError(
    await api.call(path, { key, body, headers: { ...jsonType, "Content-Encoding": "gzip" } }),
    415,
    "unsupported_media_type",
  );
  for (const headers of [
    { "Content-Type": "application/json; charset=utf-8" },
    { ...jsonType, "Content-Encoding": "Identity" },
  ]) {
    assert.equal((await api.call(path, { key, body, headers })).status, 200, JSON.stringify(headers));
  }
});

// Whoever says another encoding means other letters by the same bytes.
test("a body in another encoding than UTF-8 is refused by its name", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const answerTo = (type: string) =>
    api.call(path, { key, body: '{"q":"caf\u00c3\u00a9 in Vaduz"}', headers: { "Content-Type": type } });

  for (const charset of ["iso-8859-1", "utf-16", '"windows-1252"', "utf-8x"]) {
    assertError(await answerTo(`application/json; charset=${charset}`), 415, "unsupported_media_type");
  }
  for (const parameters of ["charset=UTF8", 'Charset="UTF-8"', "charset=us-ascii", "profile=x", "profile=charset"]) {
    assert.equal((await answerTo(`application/json;${parameters}`)).status, 200, parameters);
  }
});

test("a body in a transfer coding beside chunks is refused", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const head = (coding: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAPI-KEY: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
  const chunks = 'e\r\n{"q":"coffee"}\r\n0\r\n\r\n';

  const zipped = await sendRaw(api.address, head("gzip, chunked") + chunks);
  const chunked = await sendRaw(api.address, head("Chunked") + chunks);

  assert.equal(zipped.status, 415);
  assert.equal(chunked.status, 200);
});

test("a violation names the field and the rule it breaks, values and counts included", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "live" });
  const detailsOf = async (url: string, call: Parameters<typeof api.call>[1]) => {
    const answer = await api.call(url, { key, ...call });
    assertError(answer, 400, "invalid_request");
    return answer.body["error"].details;
  };
  const endpoints = "/api/v1/webhook-endpoints";
  const url = "https://receiver.example/";
  const patch = (json: object) => detailsOf(`${endpoints}/${newId("whe")}`, { method: "PATCH", json });
  const seven = Array.from({ length: 7 }, () => "scrape.failed");

  assert.deepEqual(await detailsOf(endpoints, { json: { url, event_types: [] } }), [
    "/event_types: must have at least 1 item",
  ]);
  assert.ok(
    (await detailsOf(endpoints, { json: { url, event_types: seven } })).includes(
      "/event_types: must have at most 6 items",
    ),
  );
  assert.deepEqual(await detailsOf(endpoints, { json: { url, event_types: ["webhook.test"] } }), [
    "/event_types/0: must be one of scrape.started, scrape.progress, scrape.completed, scrape.failed, scrape.canceled, export.ready",
  ]);
  assert.deepEqual(await patch({}), ["/: must have at least one of url, event_types, description, status"]);
  assert.deepEqual(await patch({ status: "disabled" }), ["/status: must be one of active, paused"]);
  assert.deepEqual(await patch({ description: "" }), ["/description: must have at least 1 character"]);
  assert.deepEqual(await detailsOf("/api/v1/scrapes?status=gone", {}), [
    "query /status: must be one of queued, running, succeeded, partial, failed, canceled",
  ]);
});

test("an unknown query parameter is refused on every route", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { text: live } = await api.givenKey({ environment: "live" });

  const search = await api.call(`${path}?page=2`, { key, json: { q: "coffee" } });
  assertError(search, 400, "invalid_request");
  assert.deepEqual(search.body["error"].details, ["query /page: is not known here"]);
  const sentence = "The query parameters are invalid. Correct the request as details says and send it again.";
  assert.equal(search.body["error"].message, sentence);
  for (const route of api.routes.filter(({ method, url }) => method === "GET" && !url.startsWith("/docs"))) {
    const fitting = route.config?.need?.environment === "live" ? live : key;
    assertError(await api.call(`${route.url}?surprise=1`, { key: fitting }), 400, "invalid_request");
  }
});

test("an unknown route and an unknown method say so", async (t) => {
  const api = await startApi(t);

  for (const unknown of [
    "/api/v1/nothing",
    "/api/v2/search",
    "/api/v1/search/",
    "/API/V1/SEARCH",
    "/favicon.ico",
    "/api/v1/search%2f",
    "/%zz",
    "/nothing/%ff?x=%ff",
  ]) {
    assertError(await api.call(unknown), 404, "not_found");
  }
  for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "QUERY"]) {
    const answer = await api.call(path, { method });
    assertError(answer, 405, "method_not_allowed");
    assert.equal(answer.headers.get("allow"), "POST");
  }
  assert.equal((await api.call("/healthz", { method: "POST" })).headers.get("allow"), "GET, HEAD");
});

test("an id that is too long or not even text is not found, and only for those who have a key", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  for (const id of ["%ff", "%", "%zz%ff", "job_%00", "x".repeat(101), "x".repeat(10_000)]) {
    assertError(await api.call(`/api/v1/scrapes/${id}`), 401, "unauthenticated");
    const answer = await api.call(`/api/v1/scrapes/${id}`, { key });
    assertError(answer, 404, "not_found");
    assert.equal(answer.headers.get("svc-schema-version"), "2026-09-22");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  }
});

test("a route that is not there has no rules for a body", async (t) => {
  const api = await startApi(t);

  assertError(
    await api.call("/api/v1/nothing", { body: "<a/>", headers: { "Content-Type": "text/xml" } }),
    404,
    "not_found",
  );
  assertError(await api.call("/api/v1/nothing", { body: "x".repeat(100_000), headers: jsonType }), 404, "not_found");
});

test("garbage behind whole requests is refused after their answers", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const search = rawSearch({ q: "coffee" }, [`API-KEY: ${key}`]).replace("Connection: close\r\n", "");

  const alone = await sendRaw(api.address, `${search}GARBAGE\r\n\r\n`);
  const several = await sendRaw(api.address, `${search}${search}GARBAGE\r\n\r\nGARBAGE\r\n\r\n`);
  const last = await sendRaw(api.address, `${rawSearch({ q: "coffee" }, [`API-KEY: ${key}`])}GARBAGE\r\n\r\n`);

  assert.deepEqual(statusesIn(alone.text), ["200", "400"]);
  assert.deepEqual(statusesIn(several.text), ["200", "200", "400"]);
  assert.deepEqual(statusesIn(last.text), ["200"]);
  const ownBody = search.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked").replace("{", "not a chunk {");
  assert.deepEqual(statusesIn((await sendRaw(api.address, ownBody)).text), ["400"]);
});

function statusesIn(text: string): (string | undefined)[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
}

test("what cannot be read as a request gets the envelope and a closed connection", async (t) => {
  const api = await startApi(t);
  const requests = [
    "NONSENSE\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n",
    "GET /nowhere HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n",
    `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(17_000)}\r\n\r\n`,
    `GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "POST /api/v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: u:p@evil\r\n\r\n",
    'GET /healthz HTTP/1.1\r\nHost: a"b<c>\r\n\r\n',
    "BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
  ];

  for (const request of requests) {
    const { status, text } = await sendRaw(api.address, request);
    assert.equal(status, 400, request.slice(0, 60));
    assert.match(text, /\r\nconnection: close\r\n/i, request.slice(0, 60));
    assert.match(text, /\r\nsvc-schema-version: 2026-09-22\r\n/i, request.slice(0, 60));
    const body: unknown = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
    assert.ok(validateError(body), text);
  }
});

test("a connection that nobody used is closed without an answer, and one that began a request is told why", async (t) => {
  const timeout = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  const unused = await startTcp(t, (socket) => handleClientError(timeout, socket));
  const begun = await startTcp(t, (socket) => socket.once("data", () => handleClientError(timeout, socket)));

  assert.equal(await readText(connect(unused.port, "127.0.0.1")), "");
  const client = connect(begun.port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\n");
  assert.match(await readText(client), /^HTTP\/1.1 400 .*its headers within 15/s);
});

test("an expectation that nobody knows changes nothing", async (t) => {
  const api = await startApi(t);

  const { status } = await sendRaw(
    api.address,
    "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n",
  );

  assert.equal(status, 200);
});

test("a parameter that is given twice is told so, and so is an empty id", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  const twice = await api.call("/api/v1/scrapes?limit=1&limit=2", { key });
  const empty = await api.call("/api/v1/scrapes/", { key });

  assertError(twice, 400, "invalid_request");
  assert.deepEqual(twice.body["error"].details, ["query /limit: must be given once"]);
  assertError(empty, 404, "not_found");
  assert.match(empty.body["error"].message, /^There is no scrape job "" \(the id is empty\);/);
});

test("no other origin reads an answer, and OPTIONS is not served", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const headers = { Origin: "https://elsewhere.example" };

  const read = await api.call("/api/v1/scrapes", { key, headers });
  const asked = await api.call("/api/v1/search", {
    method: "OPTIONS",
    headers: { ...headers, "Access-Control-Request-Method": "POST" },
  });

  assert.equal(read.status, 200);
  assertError(asked, 405, "method_not_allowed");
  for (const answer of [read, asked]) assert.equal(answer.headers.get("access-control-allow-origin"), null);
});

test("CONNECT is answered in the envelope, and the answers before it are sent first", async (t) => {
  const api = await startApi(t);
  const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";

  const alone = await sendRaw(api.address, tunnel);
  const behind = await sendRaw(api.address, `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n${tunnel}`);

  assert.equal(alone.status, 405);
  assert.match(alone.text, /^Allow: .*GET.*\r$/m);
  assert.match(alone.text, /"code":"method_not_allowed".*"request_id":"req_/);
  assert.deepEqual(
    [...behind.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ["200", "405"],
  );
});

test("a broken Host header does not break the reference page", async (t) => {
  const api = await startApi(t);

  for (const host of ["[", "a b", "%%%", "x:99999", ""]) {
    const { status } = await sendRaw(api.address, `GET /docs/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.ok(status === 400 || status === 200, `${host}: ${status}`);
  }
});

test("a fault of ours says nothing to the caller and everything to the log", async (t) => {
  const logged: object[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void logged.push(fields) };
  const fixtures = { name: "fixtures", search: () => Promise.reject(new Error("the secret inner reason")) };
  const api = await startApi(t, { log, fixtures });
  const { text: key } = await api.givenKey();

  const answer = await api.searchAs(key, { q: "coffee" });

  assertError(answer, 500, "internal_error");
  assert.equal(answer.body["error"].retryable, true);
  assert.ok(!answer.text.includes("secret"));
  const [line] = logged as { request_id: string; err: Error }[];
  assert.equal(line?.request_id, answer.body["request_id"]);
  assert.equal(line?.err.message, "the secret inner reason");
});
