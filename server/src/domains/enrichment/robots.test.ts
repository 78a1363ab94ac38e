import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRobots } from "./robots.ts";

const examples: [name: string, text: string, allowed: string[], forbidden: string[]][] = [
  ["no rules", "", ["/", "/a"], []],
  ["a page of HTML", "<!doctype html><p>User-agent: nobody</p>", ["/"], []],
  [
    "rules for everybody",
    "User-agent: *\nDisallow: /private",
    ["/", "/a/private"],
    ["/private", "/private/a", "/privateer"],
  ],
  ["an empty rule", "User-agent: *\nDisallow:", ["/"], []],
  ["everything", "User-agent: *\nDisallow: /", [], ["/", "/a?b=c"]],
  ["rules for others", "User-agent: Other\nDisallow: /", ["/"], []],
  [
    "our own rules and no others",
    "User-agent: *\nDisallow: /\n\nUser-agent: WAYPOST\nDisallow: /b",
    ["/", "/a"],
    ["/b"],
  ],
  ["our own rules first", "User-agent: waypost/2\nDisallow: /b\n\nUser-agent: *\nDisallow: /", ["/a"], ["/b"]],
  [
    "two groups of ours",
    "User-agent: Waypost\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: Waypost\nDisallow: /b",
    ["/c"],
    ["/a", "/b"],
  ],
  ["several agents to a group", "User-agent: x\nUser-agent: Waypost\nUser-agent: y\nDisallow: /a", ["/b"], ["/a"]],
  [
    "the longest rule",
    "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c",
    ["/a/b", "/a/bc"],
    ["/a", "/a/b/c"],
  ],
  ["a tie", "User-agent: *\nDisallow: /a\nAllow: /a", ["/a"], []],
  [
    "a star",
    "User-agent: *\nDisallow: /*/secret\nDisallow: /*.pdf$",
    ["/secret", "/a.pdfx"],
    ["/a/secret", "/a/b/secret/c", "/x/a.pdf"],
  ],
  ["an end", "User-agent: *\nDisallow: /a$\nDisallow: /b*$", ["/ab", "/a/"], ["/a", "/b", "/bc"]],
  ["queries", "User-agent: *\nDisallow: /*?print=", ["/a"], ["/a?print=1"]],
  [
    "escapes",
    "User-agent: *\nDisallow: /über\nDisallow: /%7ejoe/a%2fb",
    ["/~joe/a/b"],
    ["/%C3%BCber", "/%c3%bcber/x", "/~joe/a%2Fb"],
  ],
  ["odd spelling", "\uFEFFUSER-AGENT : *  # all\r\n disallow :/a # this\rDISALLOW: /b", ["/c"], ["/a", "/b"]],
  ["other lines", "Sitemap: https://x.ch/s.xml\nUser-agent: *\nCrawl-delay: 3\nDisallow: /a\n\nHost: x", ["/"], ["/a"]],
  ["rules before any agent", "Disallow: /\nUser-agent: *\nDisallow: /a", ["/b"], ["/a"]],
];

test("robots.txt is read as its standard says", () => {
  for (const [name, text, allowed, forbidden] of examples) {
    const mayVisit = parseRobots(text, "Waypost");

    for (const path of allowed) assert.equal(mayVisit(path), true, `${name}: ${path}`);
    for (const path of forbidden) assert.equal(mayVisit(path), false, `${name}: ${path}`);
  }
});

test("hostile patterns keep nobody busy", { timeout: 20_000 }, () => {
  const stars = `User-agent: *\n${`Disallow: /${"*a".repeat(100)}$\n`.repeat(2400)}`;

  assert.equal(parseRobots(stars, "Waypost")(`/${"a".repeat(2000)}b`), true);
});
