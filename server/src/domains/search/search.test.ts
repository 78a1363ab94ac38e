import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { rawSearch, startApi } from "../../../test/harness.ts";

const q = "coffee in Vaduz";

/** Both sides of every bound of the body: what must pass, and what must be refused, naming its field. */
const passing: Record<string, unknown>[] = [
  { q: "xy" },
  { q: "x".repeat(200) },
  { q: "😀😀" },
  { q: "😀".repeat(200) },
  { q: "مطعم في دبي" },
  { q: "'; drop table api_keys; --" },
  { q: "  " },
  { q, page: 1 },
  { q, page: 10 },
  { q, page: 2.0 },
  { q, ll: "@0,0,1z" },
  { q, ll: "@90,180,21z" },
  { q, ll: "@-90,-180,9z" },
  { q, ll: "@90.0,180.000,10z" },
  { q, ll: "@89.999999,-179.999999,14z" },
  { q, ll: `@47.${"1".repeat(60)},9.52154,14z` },
  { q, hl: "de" },
  { q, hl: "abcdefgh" },
  { q, hl: "zh-Hant-TW" },
  { q, hl: `en-${"a".repeat(8)}-${"b".repeat(8)}-${"c".repeat(8)}-1234` },
  { q, gl: "li" },
  { q, gl: "US" },
  { q, extra: true },
  { q, extra: false },
];

const refused: [unknown, ...string[]][] = [
  [{}, "/q: is required"],
  [{ q: "" }, "/q: must have at least 2 characters"],
  [{ q: "x" }, "/q: must have at least 2 characters"],
  [{ q: "😀" }, "/q: must have at least 2 characters"],
  [{ q: "x".repeat(201) }, "/q: must have at most 200 characters"],
  [{ q: "😀".repeat(201) }, "/q: must have at most 200 characters"],
  [{ q: "a\u0000b" }, "/q: must be text without NUL"],
  [{ q: "a\ud800b" }, "/q: must be text without NUL"],
  [{ q: "\udc00\ud800" }, "/q: must be text without NUL"],
  [{ q: null }, "/q: must be a string"],
  [{ q: 12 }, "/q: must be a string"],
  [{ q: ["ab"] }, "/q: must be a string"],
  [{ q, page: 0 }, "/page: must be at least 1"],
  [{ q, page: 11 }, "/page: must be at most 10"],
  [{ q, page: 1.5 }, "/page: must be an integer"],
  [{ q, page: "2" }, "/page: must be an integer"],
  [{ q, page: null }, "/page: must be an integer"],
  [{ q, page: 1e308 }, "/page: must be at most 10"],
  [{ q, ll: "" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@90.1,0,5z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@-90.0001,0,5z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@91,0,5z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,180.1,5z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,-181,5z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,0,0z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,0,22z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,0,14.5z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "0,0,14z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,0,14" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0,0,14z " }, "/ll: must be @<latitude>"],
  [{ q, ll: "@0, 0,14z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@1e1,0,14z" }, "/ll: must be @<latitude>"],
  [{ q, ll: "@NaN,0,14z" }, "/ll: must be @<latitude>"],
  [{ q, ll: `@47.${"1".repeat(80)},9.5,14z` }, "/ll: must have at most 80 characters"],
  [{ q, hl: "e" }, "/hl: must have at least 2 characters", "/hl: must be a language tag"],
  [{ q, hl: "abcdefghi" }, "/hl: must be a language tag"],
  [{ q, hl: "e1" }, "/hl: must be a language tag"],
  [{ q, hl: "en_US" }, "/hl: must be a language tag"],
  [{ q, hl: "en-" }, "/hl: must be a language tag"],
  [{ q, hl: "en-abcdefghi" }, "/hl: must be a language tag"],
  [{ q, hl: `en${"-abcdefgh".repeat(4)}` }, "/hl: must have at most 35 characters"],
  [{ q, gl: "l" }, "/gl: must have at least 2 characters", "/gl: must be a country code"],
  [{ q, gl: "lie" }, "/gl: must have at most 2 characters", "/gl: must be a country code"],
  [{ q, gl: "l1" }, "/gl: must be a country code"],
  [{ q, extra: "true" }, "/extra: must be a boolean"],
  [{ q, extra: 1 }, "/extra: must be a boolean"],
  [{ q, limit: 20 }, "/limit: is not known here"],
  [{ q, Q: "x" }, "/Q: is not known here"],
  [{ q, "a/b~c": 1 }, "/a~1b~0c: is not known here"],
  [[], "/: must be an object"],
  [[{ q }], "/: must be an object"],
  ["coffee", "/: must be an object"],
  [null, "/: must be an object"],
  [7, "/: must be an object"],
  [
    { page: 0, gl: "x" },
    "/q: is required",
    "/page: must be at least 1",
    "/gl: must have at least 2",
    "/gl: must be a country",
  ],
];

test("what lies within the bounds is answered and echoed", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();

  for (const request of passing) {
    const { status, body } = await api.searchAs(text, request);
    assert.equal(status, 200, JSON.stringify(request));
    assert.deepEqual(body["data"].params, { page: 1, hl: "en", extra: false, ...request });
    assert.deepEqual(Object.entries(body["data"])[0], ["simulated", true]);
  }
});

test("what lies outside is refused with one detail per violation, naming field and rule", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();

  for (const [request, ...expected] of refused) {
    const { status, body } = await api.searchAs(text, request);
    const shown = JSON.stringify(request).slice(0, 100);
    assert.equal(status, 400, shown);
    assert.equal(body["error"].code, "invalid_request");
    const details: string[] = body["error"].details;
    assert.equal(details.length, expected.length, `${shown} ${details.join(" | ")}`);
    for (const front of expected)
      assert.ok(
        details.some((detail) => detail.startsWith(front)),
        `${shown} ${details.join(" | ")}`,
      );
  }
});

test("__proto__ is an unknown property like any other", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();

  const { status, body } = await api.call("/api/v1/search", {
    key: text,
    body: '{"q":"coffee","__proto__":{"page":3}}',
    headers: { "Content-Type": "application/json" },
  });

  assert.equal(status, 400);
  assert.deepEqual(body["error"].details, ["/__proto__: is not known here"]);
});

test("hundreds of violations are told in a hundred lines and a count", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`p${at}`, 1]));

  const { status, body } = await api.searchAs(text, { q, ...many });

  assert.equal(status, 400);
  assert.equal(body["error"].details.length, 101);
  assert.equal(body["error"].details.at(-1), "and 800 more");
});

test("every page of every query is valid against the published schema", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  const { body: document } = await api.call("/api/v1/openapi.json");
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", components: document["components"] });
  const envelope = document["paths"]["/api/v1/search"].post.responses["200"].content["application/json"].schema;
  const validate = ajv.compile(JSON.parse(JSON.stringify(envelope).replaceAll('"#/', '"openapi#/')));

  for (const query of ["coffee in Vaduz", "ramen", "test:empty", "παντοπωλείο"]) {
    for (const extra of [false, true]) {
      for (let page = 1; page <= 10; page += 1) {
        const { body } = await api.searchAs(text, { q: query, page, extra });
        assert.ok(validate(body), `${query} ${page}: ${ajv.errorsText(validate.errors)}`);
        assert.equal(body["data"].total, body["data"].businesses.length);
      }
    }
  }
});

test("a business keeps its id over queries, pages, variants and processes", async (t) => {
  const ids = new Map<string, string>();
  for (const api of [await startApi(t), await startApi(t)]) {
    const { text } = await api.givenKey();
    for (const query of ["coffee", "ramen", "hotel"]) {
      for (const extra of [false, true]) {
        const { body } = await api.searchAs(text, { q: query, extra });
        for (const { businessId, place } of body["data"].businesses) {
          const known = ids.get(place.name + place.location?.latitude) ?? businessId;
          assert.equal(businessId, known);
          ids.set(place.name + place.location?.latitude, businessId);
        }
      }
    }
  }
  assert.ok(ids.size > 40);
});

test("answers that wait for slow readers stay as they are while others are answered", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const { hostname, port } = new URL(api.address);
  // As many as one connection may send ahead, on several of them.
  const readers = Array.from({ length: 10 }, (_, reader) => {
    const queries = Array.from({ length: 30 }, (__, index) => `coffee ${reader} ${index}`);
    const lines = queries.map((query) => rawSearch({ q: query }, [`API-KEY: ${key}`]));
    const socket = connect(Number(port), hostname).pause();
    t.after(() => socket.destroy());
    socket.write(lines.join("").replaceAll("Connection: close\r\n", ""));
    return { socket, queries };
  });

  for (let index = 0; index < 100; index += 1) await api.searchAs(key, { q: `tea ${index}` });
  for (const { socket, queries } of readers) {
    let text = "";
    socket.write(rawSearch({ q: "last" }, [`API-KEY: ${key}`]));
    for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);

    const bodies = text.split(/HTTP\/1\.1 200 OK[^{]*/).slice(1);
    const answered = bodies.map((body) => JSON.parse(body).data);
    assert.deepEqual(
      answered.map(({ params }) => params.q),
      [...queries, "last"],
    );
    const { body } = await api.searchAs(key, { q: queries[29] });
    assert.deepEqual(answered[29], body["data"]);
  }
});
