import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { table } from "../src/table.ts";
import { displayWidth, fit, printable, printableJson } from "../src/terminal.ts";
import { waypost } from "./waypost.ts";

const hostile = [
  "\u001b[2J\u001b[31mred\u001b[0m",
  "\u001b]0;title\u0007",
  "\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\",
  "\u009b2Jc1",
  "one\r\ntwo\ttab",
  "bell\u0007 nul\u0000 del\u007f",
  "\u202eexe.txt\u202c \u2066x\u2069 \u200f\u061c",
  "sep\u2028\u2029",
];
// What a terminal would act on; the line feed is the layout's own.
const acting = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

test("nothing that acts on a terminal is left, and words stay", () => {
  for (const text of hostile) assert.doesNotMatch(printable(text), acting, JSON.stringify(text));
  assert.equal(printable("\u001b[31mred\u001b[0m"), "red");
  assert.equal(printable("Café 東京 👩‍🍳 ز"), "Café 東京 👩‍🍳 ز");
  for (const text of hostile) {
    assert.doesNotMatch(printableJson(text), acting);
    assert.deepEqual(JSON.parse(printableJson({ text })), { text });
  }
});

test("columns line up for wide, combined and invisible characters", () => {
  assert.deepEqual(["ab", "東京", "é", "👩‍🍳", "ｗ"].map(displayWidth), [2, 4, 1, 2, 2]);
  assert.equal(fit("東京都", 5), "東京…");
  assert.equal(fit("abc", 3), "abc");
  assert.equal(
    table(
      ["A", "B"],
      [
        ["東京", "1"],
        ["x", "2"],
      ],
    ),
    "A     B\n東京  1\nx     2",
  );
});

test("scraped text reaches no terminal raw: not in tables, not in CSV, not in JSON, not in errors", async (t) => {
  const name = hostile.join(" ");
  const texts = { name, category: name, address: { formatted: name }, phone: name, emails: [name], website: name };
  const place = { ...texts, rating: null, reviewCount: null, location: null };
  const business = { businessId: "1", revision: 1, place };
  const { baseUrl } = await startScripted(t, answer({ total: 1, businesses: [business], simulated: true }));
  const refused = await startScripted(t, (response) =>
    response
      .writeHead(400)
      .end(JSON.stringify({ error: { code: "invalid_request", message: name, details: [name], retryable: false } })),
  );
  const environment = { WAYPOST_API_KEY: "svc_test_x", WAYPOST_URL: baseUrl };

  for (const format of [[], ["--csv"], ["--json"]]) {
    const { code, out } = await waypost(["search", "coffee", ...format], environment);
    assert.equal(code, 0);
    assert.doesNotMatch(out.replaceAll("\n", ""), acting, format.join());
  }
  for (const format of [[], ["--json"]]) {
    const { code, error } = await waypost(["search", "x", ...format], { ...environment, WAYPOST_URL: refused.baseUrl });
    assert.equal(code, 1);
    assert.doesNotMatch(error.replaceAll("\n", ""), acting, format.join());
  }
});

test("a spreadsheet runs no cell of the CSV, and reads back what was there", async (t) => {
  const place = {
    name: '=HYPERLINK("x")',
    category: "＝a, b",
    address: { formatted: "@SUM(A1)" },
    phone: "+423 232",
    website: null,
    emails: [],
    rating: 4.5,
    reviewCount: null,
    location: { latitude: -33.8, longitude: 151.2 },
  };
  const { baseUrl } = await startScripted(
    t,
    answer({ total: 1, businesses: [{ businessId: "1", revision: 2, place }] }),
  );

  const { out } = await waypost(["search", "x", "--csv"], { WAYPOST_API_KEY: "svc_test_x", WAYPOST_URL: baseUrl });

  const [head, row] = out.split("\n");
  assert.match(
    head ?? "",
    /^name,category,address,phone,website,email,rating,reviews,latitude,longitude,business_id,revision$/,
  );
  assert.equal(row, `"'=HYPERLINK(""x"")","'＝a, b",'@SUM(A1),'+423 232,,,4.5,,-33.8,151.2,1,2`);
});
