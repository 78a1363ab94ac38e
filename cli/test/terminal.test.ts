import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { peopleColumnNames } from "../../server/src/domains/exports/writers/columns.ts";
import { aPlace } from "../../server/test/place.ts";
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
  const texts = { name, category: name, phone: name, emails: [name], website: name, socialProfiles: [name] };
  const openingHours = { weekly: null, raw: name };
  const place = aPlace({ ...texts, address: { ...aPlace().address, formatted: name, street: name }, openingHours });
  const business = { businessId: "1", revision: 1, place };
  const { baseUrl } = await startScripted(t, answer({ total: 1, businesses: [business], simulated: true }));
  const refused = await startScripted(t, (response) =>
    response
      .writeHead(400)
      .end(JSON.stringify({ error: { code: "invalid_request", message: name, details: [name], retryable: false } })),
  );
  const environment = { WAYPOST_API_KEY: "svc_test_x", WAYPOST_URL: baseUrl };

  for (const format of [[], ["--csv"], ["--csv", "--columns", "all"], ["--json"]]) {
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

test("the CSV has the columns of an export, and a spreadsheet runs no cell of it", async (t) => {
  const place = aPlace({
    name: '=HYPERLINK("x")',
    // The bell goes, and what stood behind it is neutralized then.
    category: "\u0007＝a, b",
    phone: "+4232321234",
    emails: ["a@b.example", "c@d.example"],
    rating: 4.5,
    location: { latitude: -33.8, longitude: 151.2 },
  });
  const business = { schemaVersion: "2026-09-22", businessId: "1", revision: 2, place };
  const { baseUrl } = await startScripted(t, answer({ total: 1, businesses: [business] }));
  const environment = { WAYPOST_API_KEY: "svc_test_x", WAYPOST_URL: baseUrl };

  const { out } = await waypost(["search", "x", "--csv"], environment);
  const chosen = await waypost(["search", "x", "--csv", "--columns", "phone,email,latitude"], environment);
  const unknown = await waypost(["search", "x", "--csv", "--columns", "fax"], environment);
  const useless = await waypost(["search", "x", "--columns", "all"], environment);

  const [head, row] = out.split("\n");
  assert.equal(head, peopleColumnNames.join(","));
  assert.match(row ?? "", /^"'=HYPERLINK\(""x""\)","'＝a, b",/);
  assert.equal(chosen.out.trimEnd(), "phone,email,latitude\n+423 232 12 34,a@b.example; c@d.example,-33.8");
  assert.match(unknown.error, /--columns: there is no column 'fax'\. Choose from businessId, /);
  assert.match(useless.error, /--columns goes with --csv\./);
  assert.deepEqual([unknown.code, useless.code], [2, 2]);
});
