import assert from "node:assert/strict";
import { test } from "node:test";
import { manualClock } from "../../../test/harness.ts";
import { guard } from "../breaker.ts";
import { SourceFailure, type SourceQuery } from "../source.ts";
import { elementsFor, overpassAnswer, type Reply, startWorld, vaduz, type World } from "./testing.ts";

const interpreter = "/api/interpreter";

test("all ten pages of a query come from one question to each service", async (t) => {
  const world = await startWorld(t);

  const pages = [];
  for (let page = 1; page <= 10; page += 1) pages.push(await find(world, { q: "coffee in Vaduz", page }));

  assert.deepEqual(pages.map(({ listings }) => listings.length).slice(0, 4), [20, 20, 5, 0]);
  assert.equal(world.queriesOf(interpreter).length, 1);
  assert.equal(world.queriesOf("/search").length, 1);
});

test("whoever asks the same at the same time shares one question", async (t) => {
  const world = await startWorld(t);

  await Promise.all(
    Array.from({ length: 20 }, (_, index) => find(world, { q: "coffee in Vaduz", page: (index % 10) + 1 })),
  );

  assert.equal(world.queriesOf(interpreter).length, 1);
});

test("the failure of a question that many share is one", async (t) => {
  const world = await startWorld(t);
  const source = guard(world.source, { clock: manualClock() });
  const { signal } = new AbortController();
  world.overpass = () => ({ status: 500, body: "" });

  const shared = Array.from({ length: 10 }, () => source.search(queryFor({ q: "coffee in Vaduz" }), signal));
  const outcomes = await Promise.allSettled(shared);

  assert.ok(outcomes.every(({ status }) => status === "rejected"));
  assert.equal(world.queriesOf(interpreter).length, 1);
  assert.equal(source.isLeftAlone(), false);
});

test("an answer is kept for a quarter of an hour and no longer", async (t) => {
  const world = await startWorld(t);
  await find(world, { q: "coffee in Vaduz" });

  world.advance(15 * 60_000 - 1);
  await find(world, { q: "coffee in Vaduz" });
  assert.equal(world.queriesOf(interpreter).length, 1);
  world.advance(1);
  await find(world, { q: "coffee in Vaduz" });
  assert.equal(world.queriesOf(interpreter).length, 2);
});

test("a caller who leaves gets its own reason at once, and the answer is there for the next", async (t) => {
  const world = await startWorld(t);
  const leaving = new AbortController();

  const left = world.source.search(queryFor({ q: "coffee in Vaduz" }), leaving.signal);
  leaving.abort(new Error("The caller left."));

  await assert.rejects(left, { message: "The caller left." });
  assert.equal((await find(world, { q: "coffee in Vaduz" })).listings.length, 20);
  assert.equal(world.queriesOf(interpreter).length, 1);
});

test("Nominatim is asked where a place is once an hour, whatever is looked for there", async (t) => {
  const world = await startWorld(t);

  await Promise.all(["coffee", "bars", "hotels"].map((kind) => find(world, { q: `${kind} in Vaduz` })));
  await find(world, { q: "bakeries in Vaduz" });
  assert.equal(world.queriesOf("/search").length, 1);

  world.advance(60 * 60_000);
  await find(world, { q: "bakeries in Vaduz" });
  assert.equal(world.queriesOf("/search").length, 2);
});

test("Nominatim is asked at most once a second", async (t) => {
  const world = await startWorld(t);

  for (const place of ["Vaduz", "Vaduz Nord", "Vaduz Süd"]) await find(world, { q: `cafés in ${place}` });

  assert.deepEqual(world.waits, [1000, 1000]);
});

test("both services are told who asks", async (t) => {
  const world = await startWorld(t, { contact: "ops@example.org\r\nX-Evil: 1" });

  await find(world, { q: "coffee in Vaduz" });

  assert.deepEqual(
    new Set(world.requests.map(({ userAgent }) => userAgent)),
    new Set(["Waypost/0.1 (ops@example.orgX-Evil: 1)"]),
  );
});

test("where to look comes from the query, then the view, then the country", async (t) => {
  const world = await startWorld(t);
  const asksFor = async (asked: Partial<SourceQuery>) => {
    await find(world, asked);
    return world.queriesOf(interpreter).at(-1) ?? "";
  };

  assert.match(
    await asksFor({ q: "coffee in Vaduz", ll: "@48,16,14z" }),
    /area\(id:3601155956\)->\.where;\.where out ids;.*\(area\.where\)/,
  );
  assert.match(await asksFor({ q: "coffee", ll: "@48.2,16.37,14z" }), /\(around:\d+,48\.200000,16\.370000\)/);
  assert.match(await asksFor({ q: "coffee", gl: "LI" }), /\(area\.where\)/);
  const [asked, around] = [
    "coffee near 48.2012, 16.3701",
    /\["amenity"="cafe"\].*\(around:\d+,48\.201200,16\.370100\)/,
  ];
  assert.match(await asksFor({ q: asked, ll: "@47,9,14z" }), around);
  assert.match(await asksFor({ q: "Café Adler", ll: "@47.14,9.52,14z" }), /\["name"~"Adler",i\]\(around/);
});

test("a kind beside the name of a town is looked for in that town", async (t) => {
  const world = await startWorld(t);

  const { listings } = await find(world, { q: "Kaffee Vaduz", hl: "de" });

  assert.equal(listings.length, 20);
  assert.match(world.queriesOf(interpreter)[0] ?? "", /\(area\.where\)/);
});

test("beside a view, words are part of a name first and a town only when nothing has that name", async (t) => {
  const world = await startWorld(t);

  const adler = await find(world, { q: "Café Adler", ll: "@47.14,9.52,14z" });
  const town = await find(world, { q: "Café Vaduz", ll: "@47.14,9.52,14z" });

  assert.deepEqual(
    adler.listings.map(({ name }) => name),
    ["Café Adler"],
  );
  assert.equal(town.listings.length, 20);
});

test("what has the name asked for comes first", async (t) => {
  const world = await startWorld(t);
  world.nominatim = () => ({ body: JSON.stringify([{ ...vaduz, osm_type: "node", category: "amenity" }]) });

  const { listings } = await find(world, { q: "Café Adler" });

  assert.equal(listings[0]?.name, "Café Adler");
  assert.match(world.queriesOf(interpreter)[0] ?? "", /node\(id:1155956\)/);
});

test("a place that nobody knows is nowhere, and Overpass is not asked", async (t) => {
  const world = await startWorld(t);

  assert.deepEqual(await find(world, { q: "coffee in Xyzzy" }), { listings: [], verdict: "empty" });
  assert.equal(world.queriesOf(interpreter).length, 0);
});

test("an empty answer without the area in it proves nothing, and the box is asked instead", async (t) => {
  const world = await startWorld(t);
  world.overpass = (query) => overpassAnswer(query.includes("area(id:") ? [] : elementsFor(query));

  const { listings } = await find(world, { q: "coffee in Vaduz" });

  assert.equal(listings.length, 20);
  assert.match(world.queriesOf(interpreter)[1] ?? "", /\(47\.090000,9\.500000,47\.190000,9\.610000\)/);
});

test("a kind of place with nowhere to look is given up, not called empty", async (t) => {
  const world = await startWorld(t);

  await assertFails(world, { q: "coffee" }, { action: "give_up", code: "source_failed" });
  assert.equal(world.requests.length, 0);
});

type Expected = Partial<Pick<SourceFailure, "action" | "code" | "retryAfterSeconds">>;
const page = (words: string): string => `<html><body>${words}</body></html>`;

// One line to an answer of Overpass: what it is, and what is to be done about it.
const overpassAnswers: [what: string, reply: Reply, expected: Expected][] = [
  [
    "429 with a wait",
    { status: 429, headers: { "retry-after": "17" }, body: "" },
    { action: "slow_down", retryAfterSeconds: 17 },
  ],
  [
    "429 until a date",
    {
      status: 429,
      headers: { "retry-after": "Tue, 22 Sep 2026 10:00:43 GMT", date: "Tue, 22 Sep 2026 10:00:00 GMT" },
      body: "",
    },
    { action: "slow_down", retryAfterSeconds: 43 },
  ],
  [
    "429 without",
    { status: 429, body: "" },
    { action: "slow_down", code: "source_unavailable", retryAfterSeconds: 900 },
  ],
  [
    "504",
    { status: 504, body: page("Dispatcher_Client::request_read_and_idx::timeout") },
    { action: "slow_down", retryAfterSeconds: 30 },
  ],
  [
    "too busy in 200",
    { body: page("The server is probably too busy to handle your request.") },
    { action: "slow_down" },
  ],
  ["500", { status: 500, body: "" }, { action: "try_again", code: "source_failed" }],
  ["400", { status: 400, body: page("parse error") }, { action: "give_up", code: "source_failed" }],
  ["403", { status: 403, body: "" }, { action: "give_up", code: "source_failed" }],
  ["302", { status: 302, headers: { location: "/else" }, body: "" }, { action: "give_up", code: "source_failed" }],
  ["a captcha in 200", { body: page("Please solve this CAPTCHA") }, { action: "give_up", code: "source_failed" }],
  ["some page in 200", { body: page("Welcome") }, { action: "try_again", code: "source_failed" }],
  [
    "cut off",
    { body: '{"osm3s":{"timestamp_osm_base":"2026"},"elements":[{"type":"no' },
    { action: "try_again", code: "source_failed" },
  ],
  ["nothing", { body: "" }, { action: "try_again", code: "source_failed" }],
  [
    "a timeout in 200",
    overpassAnswer([], { remark: 'runtime error: Query timed out in "query"' }),
    { action: "try_again", code: "source_timeout" },
  ],
  [
    "no memory in 200",
    overpassAnswer([], { remark: "runtime error: Query run out of memory" }),
    { action: "give_up", code: "source_failed" },
  ],
  [
    "no slot in 200",
    overpassAnswer([], { remark: "runtime error: open64: 0 Success Dispatcher_Client::1. rate_limited" }),
    { action: "slow_down", code: "source_unavailable" },
  ],
  [
    "some error in 200",
    overpassAnswer([], { remark: "runtime error: open64" }),
    { action: "try_again", code: "source_failed" },
  ],
  ["another layout", { body: '{"features":[]}' }, { action: "give_up", code: "source_failed" }],
  ["no time of its data", { body: '{"elements":[]}' }, { action: "give_up", code: "source_failed" }],
];

for (const [what, reply, expected] of overpassAnswers) {
  test(`Overpass answers with ${what}: ${expected.action}`, async (t) => {
    const world = await startWorld(t);
    world.overpass = () => reply;

    await assertFails(world, { q: "coffee in Vaduz" }, expected);
  });
}

const nominatimAnswers: [what: string, reply: Reply, expected: Expected][] = [
  [
    "its block page in 200",
    { body: page("Bandwidth limit exceeded. You have been temporarily blocked") },
    { action: "slow_down", retryAfterSeconds: 900 },
  ],
  ["access blocked", { status: 403, body: page("Access blocked") }, { action: "give_up" }],
  ["another layout", { body: '{"error":"no"}' }, { action: "give_up", code: "source_failed" }],
  ["a place that is nowhere", { body: '[{"lat":"x","lon":"y"}]' }, { action: "give_up", code: "source_failed" }],
];

for (const [what, reply, expected] of nominatimAnswers) {
  test(`Nominatim answers with ${what}: ${expected.action}`, async (t) => {
    const world = await startWorld(t);
    world.nominatim = () => reply;

    await assertFails(world, { q: "coffee in Vaduz" }, expected);
  });
}

const statuses: [status: number, whose: string, asked: number][] = [
  [403, "the service's", 5],
  [404, "the service's", 5],
  [400, "the question's", 8],
];

for (const [status, whose, asked] of statuses) {
  test(`HTTP ${status} is ${whose} doing: ${asked} of 8 questions are sent`, async (t) => {
    const world = await startWorld(t);
    const guarded = guard(world.source, { clock: manualClock() });
    world.nominatim = () => ({ status, body: "" });

    for (let times = 0; times < 8; times += 1) {
      await guarded.search(queryFor({ q: `coffee in Ort ${times}` }), new AbortController().signal).catch(() => {});
    }

    assert.equal(world.queriesOf("/search").length, asked);
  });
}

test("the wait that Overpass tells on its status page is the one that counts", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => ({ status: 429, body: "" });
  world.status = () => ({
    body: "Rate limit: 2\nSlot available after: 2026-09-22T09:31:00Z, in 61 seconds.\nSlot available after: …, in 9 seconds.\n",
  });

  await assertFails(world, { q: "coffee in Vaduz" }, { action: "slow_down", retryAfterSeconds: 9 });
});

test("a service that asked for rest is left alone until it is over", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => ({ status: 429, headers: { "retry-after": "60" }, body: "" });
  await assertFails(world, { q: "coffee in Vaduz" }, { action: "slow_down" });
  world.overpass = (query) => overpassAnswer(elementsFor(query));

  world.advance(59_000);
  await assertFails(world, { q: "coffee in Vaduz" }, { action: "slow_down", retryAfterSeconds: 1 });
  assert.equal(world.queriesOf(interpreter).length, 1);
  world.advance(1000);
  assert.equal((await find(world, { q: "coffee in Vaduz" })).listings.length, 20);
});

test("a remark that tells of no error spoils nothing", async (t) => {
  const world = await startWorld(t);
  world.overpass = (query) =>
    overpassAnswer(elementsFor(query), { remark: "runtime remark: Timeout is 12 and maxsize is 134217728." });

  assert.equal((await find(world, { q: "coffee in Vaduz" })).listings.length, 20);
});

test("a failure is not remembered", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => ({ status: 500, body: "" });
  await assertFails(world, { q: "coffee in Vaduz" }, { action: "try_again" });

  world.overpass = (query) => overpassAnswer(elementsFor(query));

  assert.equal((await find(world, { q: "coffee in Vaduz" })).verdict, "ok");
});

test("asked for reviews and photos, it says that it has none", async (t) => {
  const world = await startWorld(t);

  const { listings } = await find(world, { q: "coffee in Vaduz", extra: true });

  assert.deepEqual([listings[0]?.reviewsState, listings[0]?.photosState], ["unavailable", "unavailable"]);
});

async function assertFails(world: World, asked: Partial<SourceQuery>, expected: Expected): Promise<void> {
  await assert.rejects(find(world, asked), (error: unknown) => {
    assert.ok(error instanceof SourceFailure, String(error));
    const { action, code, retryAfterSeconds } = error;
    assert.deepEqual(
      { action, code, retryAfterSeconds, ...expected },
      { action, code, retryAfterSeconds },
      error.message,
    );
    return true;
  });
}

function find(world: World, asked: Partial<SourceQuery>) {
  return world.source.search(queryFor(asked), new AbortController().signal);
}

function queryFor(asked: Partial<SourceQuery>): SourceQuery {
  return { q: "coffee", page: 1, hl: "en", extra: false, ...asked };
}
