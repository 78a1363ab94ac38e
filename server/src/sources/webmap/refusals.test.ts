import assert from "node:assert/strict";
import { test } from "node:test";
import { assertShort, longestTaskMs } from "../../../test/loop-watch.ts";
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

test("a block in plain text is one, and data about a business called Captcha is none", () => {
  const blocked = "Our systems have detected unusual traffic from your network.";

  assert.equal(refusalOfPage(200, blocked, "cafés"), "blocked");
  assert.equal(refusalOfPage(200, `${blocked} [203.0.113.7]`, "cafés"), "blocked");
  assert.equal(refusalOfPage(200, "Before you continue to the map", "cafés"), "consent");
  assert.equal(refusalOfPage(200, blocked, "unusual traffic"), undefined);
  assert.equal(refusalOfPage(200, ')]}\'\n[["captcha"]]', "cafés"), undefined);
});

test("a consent page is one by any address that it sends its form to", () => {
  for (const form of [
    '<form action="https://consent.map-2.example/save">',
    "<form action='/m/consent?continue=x'>",
    "<form action=/consent>",
    '<form action="https://consent.map.example:8443/save">',
  ]) {
    assert.equal(refusalOfPage(200, `<html lang="ru">${form}</form>`, "cafés"), "consent", form);
  }
});

test("a page of endless addresses holds up nobody", async () => {
  for (const part of ["consent.", "consent.a", "action=", "action=/consen", 'action="/']) {
    const page = `<html>${part.repeat(50_000 / part.length)}`;
    assertShort(await longestTaskMs(async () => refusalOfPage(200, page, "cafés")));
  }
});
