import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalIn } from "./failures.ts";

function refusalOf(location: string) {
  const response = {
    status: 302,
    headers: { location },
    body: Buffer.alloc(0),
    truncated: false,
    url: "https://map.example/",
  };
  return refusalIn(response, "", new Date(0))?.refusal;
}

test("a redirect to a bot check is a block, and one that repeats the query is none", () => {
  assert.equal(refusalOf("https://www.map.example/sorry/index?continue=x"), "blocked");
  assert.equal(refusalOf("/captcha?continue=x"), "blocked");
  assert.equal(refusalOf("https://captcha.map.example/"), "blocked");
  assert.equal(refusalOf("https://www.map.example/search?q=captcha+repair"), "moved");
  assert.equal(refusalOf("https://consent.map.example/m?continue=x"), "consent");
  assert.equal(refusalOf(""), "moved");
});
