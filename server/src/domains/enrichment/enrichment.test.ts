import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, before, test, type TestContext } from "node:test";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { manualClock } from "../../../test/harness.ts";
import { startHttp } from "../../../test/local-servers.ts";
import { openOutbound, until } from "../../../test/outbound.ts";
import { createEnrichment, createPageReader, type EnrichmentResult } from "./index.ts";

type Site = Record<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>;

const untroubled = new AbortController().signal;
const limits = { pageMs: 60_000, totalMs: 120_000, parseMs: 60_000 };

// One for all tests, started before them: a visit's deadline then measures the website and not our start.
const reader = createPageReader();
before(() =>
  reader.mayVisit({ text: Buffer.alloc(0), productToken: "x", path: "/" }, { workMs: 60_000, signal: untroubled }),
);
after(() => reader.close());

test("a website's home page and contact pages are read, and each contact says where it was seen", async (t) => {
  const site = await openSite(t, {
    "/": `<a href="/menu">Menu</a><a href="/kontakt#form">Kontakt</a><a href="/impressum">Impressum</a>
      <a href="https://www.facebook.com/cafesonne">f</a><a href="https://elsewhere.example/contact">contact</a> a@sonne.ch info@example.com`,
    "/kontakt": `<p>b@sonne.ch</p><p>a@sonne.ch</p>`,
    "/impressum": `<p>c [at] sonne [dot] ch</p><a href="https://instagram.com/cafesonne/">i</a>`,
    "/menu": `<p>menu@sonne.ch</p>`,
  });

  const result = await site.enrich();

  const seenAt = site.clock.now().toISOString();
  const seen = (path: string) => ({ sourceUrl: site.url + path, seenAt });
  assert.deepEqual(result, {
    state: "done",
    contacts: [
      { type: "email", value: "a@sonne.ch", ...seen("/") },
      { type: "email", value: "b@sonne.ch", ...seen("/kontakt") },
      { type: "email", value: "c@sonne.ch", ...seen("/impressum") },
      { type: "social", value: "https://www.facebook.com/cafesonne", ...seen("/") },
      { type: "social", value: "https://www.instagram.com/cafesonne", ...seen("/impressum") },
    ],
    checkedAt: seenAt,
  });
  assert.deepEqual(site.visited, ["/robots.txt", "/", "/kontakt", "/impressum"]);
});

test("the pages of a frameset are read, and the contact page that its menu leads to", async (t) => {
  const site = await openSite(t, {
    "/": `<frameset cols="20%,80%"><frame src="/menu.html"><frame src="/start.html"></frameset>`,
    "/menu.html": `<a href="/kontakt.html" target="main">Kontakt</a>`,
    "/start.html": `<p>a@sonne.ch</p>`,
    "/kontakt.html": `<p>b@sonne.ch</p>`,
  });

  const { contacts } = await site.enrich();

  assert.deepEqual(
    contacts.map(({ value }) => value),
    ["a@sonne.ch", "b@sonne.ch"],
  );
});

test("no more than four pages are read besides the home page", async (t) => {
  const paths = Array.from({ length: 9 }, (_, index) => `/contact/${index}`);
  const site = await openSite(t, { "/": paths.map((path) => `<a href="${path}">c</a>`).join("") });

  await site.enrich();

  assert.deepEqual(site.visited, ["/robots.txt", "/", ...paths.slice(0, 4)]);
});

test("at most a hundred of each are told", async (t) => {
  const count = Array.from({ length: 150 }, (_, index) => index);
  const links = count.map((index) => `<p>a${index}@sonne.ch <a href="https://x.com/sonne${index}">x</a></p>`);
  const site = await openSite(t, { "/": links.join("") });

  const result = await site.enrich();

  assert.deepEqual([outcome(result).emails.length, result.contacts.length], [100, 200]);
});

test("a place without a website that can be visited has none", async (t) => {
  const site = await openSite(t, {});

  for (const website of ["", "   ", "none", "ftp://sonne.ch/", "mailto:a@sonne.ch", "http://"])
    assert.equal((await site.enrich({ website })).state, "no_website", website);
  assert.deepEqual(site.visited, []);
});

test("robots.txt is honored for the home page and for each page after it", async (t) => {
  const home = `<a href="/contact">c</a><a href="/about">a</a> a@sonne.ch`;
  const closed = await openSite(t, { "/robots.txt": "User-agent: *\nDisallow: /", "/": home });
  const partly = await openSite(t, {
    "/robots.txt": "User-agent: Waypost\nDisallow: /contact",
    "/": home,
    "/contact": "b@sonne.ch",
    "/about": "c@sonne.ch",
  });
  const unsure = await openSite(t, {
    "/robots.txt": (_request, response) => void response.writeHead(503).end(),
    "/": home,
  });

  assert.deepEqual(outcome(await closed.enrich()), { state: "blocked_by_robots", emails: [] });
  assert.deepEqual(closed.visited, ["/robots.txt"]);
  assert.deepEqual(outcome(await partly.enrich()), { state: "done", emails: ["a@sonne.ch", "c@sonne.ch"] });
  assert.deepEqual(partly.visited, ["/robots.txt", "/", "/about"]);
  assert.deepEqual(outcome(await unsure.enrich()), { state: "blocked_by_robots", emails: [] });
  assert.deepEqual(unsure.visited, ["/robots.txt"]);
});

test("a robots.txt of 500 KiB is read to its end, and of a longer one the whole lines", async (t) => {
  const limit = 500 * 1024;
  const upTo = (bytes: number, end: string) => `${"#".repeat(bytes - end.length)}${end}`;
  const closed = upTo(limit, "\nUser-agent: *\nDisallow: /\n");
  const cutAtSlash = `${upTo(limit, "\nUser-agent: *\nDisallow: /")}private\n`;

  const states = [closed, cutAtSlash].map(async (text) => {
    const site = await openSite(t, { "/robots.txt": text, "/": "a@sonne.ch" });
    return (await site.enrich()).state;
  });

  assert.deepEqual(await Promise.all(states), ["blocked_by_robots", "done"]);
});

test("a page that moved within the site is followed three times, and nowhere else", async (t) => {
  const elsewhere = await openSite(t, { "/": "x@sonne.ch" }, "127.0.0.2");

  const near = await openSite(t, hops(3));
  assert.deepEqual(outcome(await near.enrich()), { state: "done", emails: ["a@sonne.ch"] });
  const targets = ["/", `${elsewhere.url}/`, "http://[::1]/", "http://169.254.169.254/", "ftp://sonne.ch/", "http://"];
  for (const site of [hops(4), ...targets.map((target): Site => ({ "/": redirectTo(target) }))])
    assert.deepEqual(outcome(await (await openSite(t, site)).enrich()), { state: "failed", emails: [] });
  assert.deepEqual(elsewhere.visited, []);
});

test("a website is all of its registrable domain and nothing beside it", async (t) => {
  const hosts: string[] = [];
  const web = await startHttp(t, (request, response) => {
    const [host = ""] = (request.headers.host ?? "").split(":");
    if (request.url === "/robots.txt") return response.writeHead(404).end();
    hosts.push(host);
    if (host === "old.sonne.ch") return response.writeHead(301, { Location: `http://www.mond.ch:${web.port}/` }).end();
    const links = ["team.sonne.ch", "www.mond.ch"].map((name) => `<a href="http://${name}:${web.port}/contact">c</a>`);
    return response
      .writeHead(200, { "Content-Type": "text/html" })
      .end(`${links.join("")} ${host.split(".")[0]}@sonne.ch`);
  });
  const outbound = openOutbound(t, { lookup: async () => ["127.0.0.1"] });
  const { enrich } = createEnrichment({ outbound, reader, clock: manualClock() });

  const found = await enrich(`http://www.sonne.ch:${web.port}/`, untroubled);
  const moved = await enrich(`http://old.sonne.ch:${web.port}/`, untroubled);

  assert.deepEqual(outcome(found), { state: "done", emails: ["www@sonne.ch", "team@sonne.ch"] });
  assert.deepEqual(outcome(moved), { state: "failed", emails: [] });
  assert.deepEqual(hosts, ["www.sonne.ch", "team.sonne.ch", "old.sonne.ch"]);
});

test("a site that turns out to live in a private network is not visited", async (t) => {
  const hidden = await openSite(t, { "/": "secret@sonne.ch" }, "127.0.0.2");
  const site = await openSite(t, { "/": `<a href="http://contact.sonne.ch:${hidden.port}/contact">c</a>a@sonne.ch` });
  const outbound = openOutbound(t, { allow: ["127.0.0.1/32"], lookup: ownNames });
  const { enrich } = createEnrichment({ outbound, reader, clock: site.clock });

  const inside = await enrich(`http://private.sonne.ch:${hidden.port}/`, untroubled);
  const linked = await enrich(`http://www.sonne.ch:${site.port}/`, untroubled);

  assert.deepEqual(outcome(inside), { state: "failed", emails: [] });
  assert.deepEqual(outcome(linked), { state: "done", emails: ["a@sonne.ch"] });
  assert.deepEqual(hidden.visited, []);
});

test("a home page that is missing, broken or something else is a failure", async (t) => {
  const homes: Site["/"][] = [
    (_request, response) => void response.writeHead(404, { "Content-Type": "text/html" }).end("a@sonne.ch"),
    (_request, response) => void response.writeHead(500, { "Content-Type": "text/html" }).end("a@sonne.ch"),
    (_request, response) => void response.writeHead(200, { "Content-Type": "application/pdf" }).end("a@sonne.ch"),
    (_request, response) => void response.writeHead(200).end("a@sonne.ch"),
    (request) => void request.socket.destroy(),
    (request) =>
      void request.socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\na@sonne.ch"),
    (_request, response) =>
      void response.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }).end("a@sonne.ch"),
  ];

  for (const home of homes)
    assert.deepEqual(outcome(await (await openSite(t, { "/": home })).enrich()), { state: "failed", emails: [] });
});

test("endless, bomb-like and garbled pages give what stands in their first megabyte", async (t) => {
  const padding = " ".repeat(1_000_000);
  const asHtml = { "Content-Type": "text/html; charset=nonsense" };
  const homes: Record<string, Site["/"]> = {
    endless: (_request, response) => {
      response.writeHead(200, asHtml).write("a@sonne.ch ");
      const more = () => void (response.write(padding) ? setImmediate(more) : response.once("drain", more));
      more();
    },
    gzip: (_request, response) =>
      void response
        .writeHead(200, { ...asHtml, "Content-Encoding": "gzip" })
        .end(gzipSync(`a@sonne.ch ${padding.repeat(20)}`)),
    brotli: (_request, response) =>
      void response
        .writeHead(200, { ...asHtml, "Content-Encoding": "br" })
        .end(
          brotliCompressSync(`a@sonne.ch ${padding.repeat(9)}`, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
        ),
    late: `a@sonne.ch ${padding} b@sonne.ch`,
    garbled: (_request, response) =>
      void response.writeHead(200, asHtml).end(Buffer.from("\xff\xfea@\x80 a@sonne.ch \xc3", "latin1").subarray(2)),
  };

  for (const [name, home] of Object.entries(homes))
    assert.deepEqual(
      outcome(await (await openSite(t, { "/": home })).enrich()),
      { state: "done", emails: ["a@sonne.ch"] },
      name,
    );
});

test("a website that hangs or drips is left at its deadline, with what was found by then", async (t) => {
  const links = `<a href="/contact/1">c</a><a href="/contact/2">c</a><a href="/contact/3">c</a>`;
  const hangs = await openSite(t, { "/": () => {} });
  const deaf = await openSite(t, { "/robots.txt": () => {} });
  const drips = await openSite(t, { "/": drip });
  const partly = await openSite(t, { "/": `${links}a@sonne.ch`, "/contact/1": drip, "/contact/2": "b@sonne.ch" });

  const whole = await openSite(t, {
    "/": `${links}a@sonne.ch`,
    "/contact/1": drip,
    "/contact/2": drip,
    "/contact/3": drip,
  });

  const results = await Promise.all([hangs, deaf, drips, partly].map((site) => site.enrich({ pageMs: 2000 })));
  // Alone, so that the one thread that runs already is free for it.
  results.push(await whole.enrich({ totalMs: 4000 }));

  const nothing = { state: "timed_out", emails: [] };
  const both = { state: "timed_out", emails: ["a@sonne.ch", "b@sonne.ch"] };
  const one = { state: "timed_out", emails: ["a@sonne.ch"] };
  assert.deepEqual(results.map(outcome), [nothing, nothing, nothing, both, one]);
  assert.deepEqual(whole.visited, ["/robots.txt", "/", "/contact/1"]);
});

test("no more websites are visited at once than may be, and the others wait", async (t) => {
  const held: (() => void)[] = [];
  let visits = 0;
  const site = await openSite(t, {
    "/": (_request, response) => {
      visits += 1;
      held.push(() => response.writeHead(200, { "Content-Type": "text/html" }).end("a@sonne.ch"));
    },
  });
  const { enrich } = createEnrichment({ outbound: openOutbound(t), reader, clock: site.clock, limits, visitsMax: 2 });

  const pending = Array.from({ length: 4 }, () => enrich(`${site.url}/`, untroubled));
  await until(() => held.length === 2);
  await fetch(`${site.url}/elsewhere`); // whoever did not wait would have come before this
  assert.equal(visits, 2);
  for (let released = 0; released < 4; released += 1) {
    await until(() => held.length > 0);
    held.shift()?.();
  }

  for (const result of await Promise.all(pending))
    assert.deepEqual(outcome(result), { state: "done", emails: ["a@sonne.ch"] });
});

test("only the caller's own signal makes a visit throw", async (t) => {
  const caller = new AbortController();
  const site = await openSite(t, { "/": () => caller.abort(new Error("the caller left")) });

  await assert.rejects(site.enrich({ signal: caller.signal }), /the caller left/);
  await assert.rejects(site.enrich({ signal: caller.signal }), /the caller left/);
  assert.deepEqual(site.visited, ["/robots.txt", "/"]);
});

function outcome({ state, contacts }: EnrichmentResult) {
  return { state, emails: contacts.filter(({ type }) => type === "email").map(({ value }) => value) };
}

async function ownNames(name: string): Promise<string[]> {
  return [name === "www.sonne.ch" ? "127.0.0.1" : "127.0.0.2"];
}

/** A home page that is so many redirects away. */
function hops(count: number): Site {
  const moved = Array.from({ length: count }, (_, index) => [`/${index || ""}`, redirectTo(`/${index + 1}`)] as const);
  return { ...Object.fromEntries(moved), [`/${count}`]: "a@sonne.ch" };
}

/** Says a little from time to time, for ever. */
function drip(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/html" });
  const timer = setInterval(() => response.write("x@sonne.ch "), 10);
  response.on("close", () => clearInterval(timer));
}

function redirectTo(location: string): Site["/"] {
  return (_request, response) => void response.writeHead(301, { Location: location }).end();
}

/** A website of the test's own making; what is not on it is a 404. */
async function openSite(t: TestContext, site: Site, host = "127.0.0.1") {
  const visited: string[] = [];
  const clock = manualClock();
  const { port } = await startHttp(
    t,
    (request, response) => {
      const path = request.url ?? "";
      visited.push(path);
      const page = site[path];
      if (page === undefined) return response.writeHead(404).end();
      if (typeof page === "function") return page(request, response);
      return response.writeHead(200, { "Content-Type": path === "/robots.txt" ? "text/plain" : "text/html" }).end(page);
    },
    host,
  );
  const url = `http://${host}:${port}`;
  const outbound = openOutbound(t, { allow: ["127.0.0.1/32"] });

  function enrich({
    website = `${url}/`,
    signal = untroubled,
    pageMs = 60_000,
    totalMs = 120_000,
    parseMs = 60_000,
  } = {}) {
    return createEnrichment({ outbound, reader, clock, limits: { pageMs, totalMs, parseMs } }).enrich(website, signal);
  }
  return { url, port, clock, visited, enrich };
}
