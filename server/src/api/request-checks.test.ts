import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { sendRaw, startApi } from "../../test/harness.ts";
import { newId, newUuid } from "../platform/ids.ts";

const version = "2026-09-22";

test("a route without a body refuses any but an empty one", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "live" });
  const bodiless = api.routes.filter(
    ({ schema, method, url }) =>
      !schema?.body && method !== "HEAD" && url !== "/docs" && !url.endsWith("/events/stream"),
  );
  assert.ok(bodiless.some(({ method }) => method === "POST") && bodiless.some(({ method }) => method === "GET"));

  for (const { method, url } of bodiless) {
    const link = url.includes("/downloads/") ? `?expires=1&kid=00000000&sig=${"A".repeat(43)}` : "";
    const path = url.replaceAll(/:[A-Za-z]+/g, newId("job")) + link;
    const send = (headers: readonly string[], body = "") =>
      sendRaw(
        api.address,
        [
          `${method} ${path} HTTP/1.1`,
          "Host: localhost",
          "Connection: close",
          `API-KEY: ${key}`,
          `Idempotency-Key: ${newUuid()}`,
          ...headers,
          "",
          body,
        ].join("\r\n"),
      );

    for (const type of ["application/json", "text/plain"]) {
      for (const [headers, body] of [
        [["Content-Length: 2"], "{}"],
        [["Transfer-Encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n"],
      ] as const) {
        const refused = await send([`Content-Type: ${type}`, ...headers], body);
        assert.equal(refused.status, 400, `${method} ${url} ${type} ${headers.join()}`);
        assert.match(refused.text, /"code":"invalid_request".*must be absent/, `${method} ${url}`);
      }
    }
    for (const [headers, body] of [
      [["Content-Type: application/json", "Content-Length: 0"], ""],
      [["Content-Type: text/plain", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ] as const) {
      const { status } = await send(headers, body);
      assert.ok(status !== 400 && status !== 415, `${method} ${url} with an empty body: ${status}`);
    }
  }
});

test("a client that leaves before the end of its body is no fault of ours", async (t) => {
  const faults: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_fields: object, message: string) => void faults.push(message),
  };
  const api = await startApi(t, { log });
  const { text: key } = await api.givenKey();
  const { hostname, port } = new URL(api.address);

  for (const path of ["/healthz", "/api/v1/scrapes"]) {
    const socket = connect(Number(port), hostname);
    const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", `API-KEY: ${key}`, "Transfer-Encoding: chunked", "", ""];
    socket.write(lines.join("\r\n"));
    await once(socket, "connect");
    for (let count = 0; count < 3; count += 1) await api.call("/healthz"); // by then it has been read
    socket.destroy();
    for (let count = 0; count < 3; count += 1) await api.call("/healthz"); // by then it is known to be gone
  }

  assert.deepEqual(faults, []);
});

test("the schema version can be pinned to the one there is, and every answer names it", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  const pinned = await api.searchAs(key, { q: "coffee" }, { "SVC-Schema-Version": version });
  const other = await api.searchAs(key, { q: "coffee" }, { "SVC-Schema-Version": "2027-01-01" });
  const public_ = await api.call("/healthz", { headers: { "SVC-Schema-Version": "1" } });
  const withoutKey = await api.call("/api/v1/search", {
    json: { q: "coffee" },
    headers: { "SVC-Schema-Version": "1" },
  });

  assert.equal(pinned.status, 200);
  assert.equal(other.status, 400);
  assert.equal(other.body["error"].code, "invalid_request");
  assert.match(other.body["error"].details[0], /^header \/svc-schema-version: must be 2026-09-22/);
  assert.equal(public_.status, 400);
  assert.equal(withoutKey.status, 401);
  for (const { headers } of [pinned, other, public_, withoutKey]) {
    assert.equal(headers.get("svc-schema-version"), version);
  }
});

test("what will go is announced on its answers and marked in the reference", async (t) => {
  const dates = { deprecated: "2027-01-01", sunset: "2027-07-01" };
  const api = await startApi(t, {
    deprecations: [
      { operationId: "listScrapes", ...dates, link: "https://example.com/moving" },
      { operationId: "search", field: "gl", ...dates },
    ],
  });
  const { text: key } = await api.givenKey();
  const announced = ({ headers }: { headers: Headers }) => [headers.get("deprecation"), headers.get("sunset")];

  const list = await api.call("/api/v1/scrapes", { key });
  const usesField = await api.searchAs(key, { q: "coffee", gl: "li" });
  const usesNone = await api.searchAs(key, { q: "coffee" });
  const { body: document } = await api.call("/api/v1/openapi.json");

  assert.deepEqual(announced(list), ["@1798761600", "Thu, 01 Jul 2027 00:00:00 GMT"]);
  assert.equal(list.headers.get("link"), '<https://example.com/moving>; rel="deprecation"');
  assert.deepEqual(announced(usesField), announced(list));
  assert.deepEqual(announced(usesNone), [null, null]);
  assert.equal(document["paths"]["/api/v1/scrapes"].get.deprecated, true);
  assert.match(document["paths"]["/api/v1/search"].post.description, /`gl` stops working on 2027-07-01/);
});

test("nothing goes within 180 days of its announcement", async (t) => {
  const tooSoon = { operationId: "search", deprecated: "2027-01-01", sunset: "2027-06-29" };

  await assert.rejects(startApi(t, { deprecations: [tooSoon] }), /180 days/);
});
