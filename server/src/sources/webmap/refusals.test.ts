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

function refusalOfPage(status: number, page: string, q: string) {
  const url = `https://map.example/search?${new URLSearchParams({ tbm: "map", q }).toString()}`;
  return refusalIn({ status, headers: {}, body: Buffer.from(page), truncated: false, url }, page, new Date(0))?.refusal;
}

// A block leaves the map alone for everybody: nobody brings that about by what they search for.
test("a page that repeats the query is no bot check by the words of the query", () => {
  const missing = "<html><p>The requested URL /search?q=captcha+repair was not found.</p></html>";
  const shell = "<html><title>Before You Continue - Map</title></html>";

  assert.equal(refusalOfPage(404, missing, "captcha repair"), "rejected");
  assert.equal(refusalOfPage(200, shell, "before you continue"), "shell");
  assert.equal(refusalOfPage(200, "<html>Solve the captcha</html>", "cafés"), "blocked");
  assert.equal(refusalOfPage(200, shell, "cafés"), "consent");
  assert.equal(refusalOfPage(429, "<html>Solve the captcha</html>", "captcha repair"), "blocked");
});
